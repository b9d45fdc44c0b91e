package io.quorate.core;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;

/** The contenders of this node on one path: mostly one. */
final class OwnContenders implements Iterable<Contender> {

    private static final Contender[] NONE = new Contender[0];

    private Contender[] all = NONE;

    void add(Contender contender) {
        all = Arrays.copyOf(all, all.length + 1);
        all[all.length - 1] = contender;
    }

    void remove(Contender contender) {
        int at = Arrays.asList(all).indexOf(contender);
        if (at >= 0) {
            Contender[] left = Arrays.copyOf(all, all.length - 1);
            System.arraycopy(all, at + 1, left, at, left.length - at);
            all = left;
        }
    }

    boolean isEmpty() {
        return all.length == 0;
    }

    Optional<Contender> find(int number) {
        for (Contender contender : all) {
            if (contender.number == number) {
                return Optional.of(contender);
            }
        }
        return Optional.empty();
    }

    boolean isAnyLeading() {
        for (Contender contender : all) {
            if (contender.candidate.isLeading()) {
                return true;
            }
        }
        return false;
    }

    boolean isAnyClaiming() {
        for (Contender contender : all) {
            if (contender.candidate.isClaiming()) {
                return true;
            }
        }
        return false;
    }

    /** The contender that stands for this node: its best one in the queue. */
    Optional<Contender> best(Context context) {
        Contender best = null;
        for (Contender contender : all) {
            boolean isQueued = contender.stage == Contender.Stage.QUEUED;
            if (isQueued && (best == null || isBetter(contender, best, context))) {
                best = contender;
            }
        }
        return Optional.ofNullable(best);
    }

    private static boolean isBetter(Contender one, Contender other, Context context) {
        return context.ranking.compare(one.registration(context), other.registration(context)) < 0;
    }

    @Override
    public Iterator<Contender> iterator() {
        return Arrays.asList(all).iterator();
    }
}
