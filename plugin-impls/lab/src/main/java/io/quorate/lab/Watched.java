package io.quorate.lab;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.picture.Naming;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Watches the code of a student: docs/lab.md#course-kit. It may wait forever, end the process, start threads, or depend on more
 * than its state and the event, and the model checker would notice none of that.
 */
final class Watched {

    private static final long LOOK_MILLIS = 100;

    /** 5 s for a call that takes microseconds. On a starved machine the looks come late, too. */
    private static final int LOOKS_MAX = 50;

    private final ThreadGroup group = new ThreadGroup("quorate-lab-grade");
    private volatile String place = "the loading of its class";
    private volatile boolean isInside = true;
    private final AtomicLong calls = new AtomicLong();

    /**
     * Does the work in another thread.
     *
     * @throws LabFailed if the code of the student does not return, or fails with an error; says at what
     */
    int run(Callable<Integer> work, PrintWriter err) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(work);
        Thread worker = new Thread(group, task, group.getName());
        worker.setDaemon(true);
        Thread ending = new Thread(() -> {
            // A signal ends the process without a call of exit.
            if (Thread.getAllStackTraces().values().stream().flatMap(Stream::of).anyMatch(Watched::isExit)) {
                err.println("quorate lab grade: the algorithm ended the process at " + place);
                err.flush();
                Runtime.getRuntime().halt(Lab.NO);
            }
        });
        Runtime.getRuntime().addShutdownHook(ending);
        worker.start();
        try {
            return result(task);
        } finally {
            group.interrupt();
            Runtime.getRuntime().removeShutdownHook(ending);
        }
    }

    private static boolean isExit(StackTraceElement frame) {
        return frame.getClassName().equals("java.lang.Runtime")
                && frame.getMethodName().equals("exit");
    }

    private int result(FutureTask<Integer> task) throws Exception {
        long before = -1;
        for (int looks = 0; looks < LOOKS_MAX; looks++) {
            try {
                return task.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                looks = isInside && calls.get() == before ? looks : 0;
                before = calls.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception expected) {
                    throw expected;
                }
                throw new LabFailed("the algorithm failed at " + place + ": " + e.getCause());
            }
        }
        throw new LabFailed("the algorithm does not return from " + place + "; does it loop or wait forever?");
    }

    /** The algorithm, with each event given to a second machine in the same state, too. */
    ElectionAlgorithm of(ElectionAlgorithm algorithm) {
        isInside = false;
        return LabAlgorithms.creating(
                algorithm,
                (membership, timing, options) -> inside(
                        "the making of P" + membership.self(),
                        () -> new Machine(membership.self(), () -> algorithm.create(membership, timing, options))));
    }

    private <T> T inside(String what, Supplier<T> call) {
        place = what;
        calls.incrementAndGet();
        isInside = true;
        try {
            return call.get();
        } finally {
            isInside = false;
        }
    }

    private final class Machine implements Election {
        private final int self;
        private final Supplier<Election> maker;
        private final Election first;
        private boolean isStarted;

        private Machine(int self, Supplier<Election> maker) {
            this.self = self;
            this.maker = maker;
            first = maker.get();
        }

        @Override
        public List<Effect> on(long now, Event event) {
            return inside(Naming.of(event) + " in P" + self, () -> {
                Election second = maker.get();
                List<Effect> effects;
                List<Object> after;
                boolean isShared = false;
                if (isStarted) {
                    State before = first.snapshot();
                    effects = List.copyOf(first.on(now, event));
                    after = all(first);
                    second.on(now, new Event.Start(1, Event.Saved.NOTHING, OptionalInt.empty()));
                    isShared = !all(first).equals(after);
                    second.restore(before);
                } else {
                    effects = List.copyOf(first.on(now, event));
                    after = all(first);
                }
                isStarted = true;
                if (isShared
                        || !second.on(now, event).equals(effects)
                        || !all(second).equals(after)) {
                    throw new IllegalStateException("a second machine in the same state must do the same, and share"
                            + " nothing; is there something static, random, or missing in snapshot()?");
                }
                if (group.activeCount() > 1) {
                    throw new IllegalStateException("a machine must not start threads");
                }
                return effects;
            });
        }

        /** The state of a machine, and its answers. */
        private static List<Object> all(Election machine) {
            WireWriter out = new WireWriter();
            machine.snapshot().writeTo(out);
            return List.of(ByteBuffer.wrap(out.toBytes()), machine.leader(), machine.isParticipating());
        }

        @Override
        public OptionalInt leader() {
            return first.leader();
        }

        @Override
        public boolean isParticipating() {
            return first.isParticipating();
        }

        @Override
        public State snapshot() {
            return first.snapshot();
        }

        @Override
        public void restore(State state) {
            isStarted = true;
            first.restore(state);
        }
    }
}
