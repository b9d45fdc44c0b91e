package io.quorate.core.path;

import io.quorate.core.step.Context;
import io.quorate.core.vote.Candidate;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What a node asks of its contenders on one path: mostly one. */
final class OwnContenders {

    private OwnContenders() {
    }

    static Optional<Contender> find(List<Contender> own, long number) {
        for (Contender contender : own) {
            if (contender.number == number) {
                return Optional.of(contender);
            }
        }
        return Optional.empty();
    }

    static boolean isAny(List<Contender> own, Predicate<Candidate> what) {
        for (Contender contender : own) {
            if (what.test(contender.candidate)) {
                return true;
            }
        }
        return false;
    }

    /** The contender that stands for this node: its best one in the queue. */
    static Optional<Contender> best(List<Contender> own, Context context) {
        Contender best = null;
        for (Contender contender : own) {
            boolean isQueued = contender.stage == Contender.Stage.QUEUED;
            if (isQueued && (best == null || isBetter(contender, best, context))) {
                best = contender;
            }
        }
        return Optional.ofNullable(best);
    }

    private static boolean isBetter(Contender one, Contender other, Context context) {
        return context.ranking().compare(one.registration(context), other.registration(context)) < 0;
    }
}
