package io.quorate.compare;

import io.quorate.compare.Spells.Spell;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Asks every millisecond whether a latch leads, and keeps the answers. */
final class Answers extends Thread {

    private static final long PERIOD_NANOS = 1_000_000;
    /** Ten minutes. */
    private static final int COUNT_MAX = 600_000;

    private final BooleanSupplier question;
    private final long[] asked = new long[COUNT_MAX];
    private final long[] told = new long[COUNT_MAX];
    private final boolean[] answered = new boolean[COUNT_MAX];
    private volatile int count;

    Answers(BooleanSupplier question) {
        super("answers");
        this.question = question;
        setDaemon(true);
    }

    @Override
    public void run() {
        while (count < COUNT_MAX && !isInterrupted()) {
            long now = System.nanoTime();
            boolean answer = question.getAsBoolean();
            add(now, answer, System.nanoTime());
            LockSupport.parkNanos(PERIOD_NANOS);
        }
    }

    /** An answer to a question of that moment, which was there at the other one. */
    void add(long askedAt, boolean answer, long toldAt) {
        int next = count;
        asked[next] = askedAt;
        answered[next] = answer;
        told[next] = toldAt;
        count = next + 1;
    }

    /**
     * Of the questions asked from this moment on: how many were answered by yes before the first no, and when that one
     * was asked, 0 if none was.
     */
    String since(long moment) {
        int total = count;
        int first = firstSince(moment, total);
        int no = first;
        while (no < total && answered[no]) {
            no++;
        }
        return (no - first) + " " + (no == total ? 0 : asked[no]);
    }

    /** The spells of yes among the questions asked from this moment on. */
    Spells spellsSince(long moment) {
        int total = count;
        List<Spell> spells = new ArrayList<>();
        int next = firstSince(moment, total);
        while (next < total) {
            int begin = next;
            while (next < total && answered[next]) {
                next++;
            }
            if (next - begin > 1) {
                spells.add(new Spell(told[begin], asked[next - 1]));
            }
            next = Math.max(next, begin + 1);
        }
        return new Spells(spells);
    }

    private int firstSince(long moment, int total) {
        int first = 0;
        while (first < total && asked[first] - moment < 0) {
            first++;
        }
        return first;
    }
}
