package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ballot.BallotAlgorithm;
import io.quorate.client.ListenerSet;
import io.quorate.jvm.NodeLog;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.Guarantee;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Three nodes in virtual time, what is thrown, and the log. */
final class ForeignScene implements AutoCloseable {

    static final String PATH = "/app/leader";
    static final Duration LONG = Duration.ofSeconds(30);

    private final Throwable thrown;
    private final CapturedLog log = CapturedLog.atInfo(ListenerSet.class);
    private SimulatedCluster cluster;
    private volatile boolean hasFailed;
    /** Whether the simulation has ended, so that closing it would only say so again. */
    private boolean isBroken;

    ForeignScene(Throwable thrown) {
        this.thrown = thrown;
        cluster = SimulatedCluster.ofVoters(3);
    }

    /** Other nodes, which have the setting that a tandem needs. */
    void moves() {
        closeCluster();
        cluster = new SimulatedCluster(ClusterSettings.ofVoters(3).moving());
    }

    /** An executor of the application. */
    static final class Given extends AbstractExecutorService {
        private final Executor executor;

        Given(Executor executor) {
            this.executor = executor;
        }

        @Override
        public void execute(Runnable task) {
            executor.execute(task);
        }

        @Override
        public void shutdown() {
            // Nothing is to be stopped.
        }

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }

    Throwable thrown() {
        return thrown;
    }

    SimulatedCluster cluster() {
        return cluster;
    }

    /** Whether no node survives it on its own thread. */
    boolean isFatal() {
        return thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError);
    }

    /** Throws it, as Kotlin does, without declaring it. */
    void fail() {
        hasFailed = true;
        ForeignScene.<RuntimeException>sneak(thrown);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    LeaderLatch latch(String node) {
        return new LeaderLatch(cluster.client(node), PATH, node);
    }

    void start(LeaderLatch latch) {
        try {
            latch.start();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    boolean hasFailed() {
        return hasFailed;
    }

    void said(int times, String... fragments) {
        assertThat(log.lines(fragments)).as(log.text()).hasSize(times);
    }

    void saidAtLeastOnce(String... fragments) {
        assertThat(log.lines(fragments)).as(log.text()).isNotEmpty();
    }

    /** It reaches the node itself, which ends then: what the simulator takes for a fault that ends the simulation. */
    void endsItsNode() {
        assertThatThrownBy(() -> cluster.advance(LONG))
                .isInstanceOf(AssertionError.class)
                .hasCause(thrown);
        isBroken = true;
    }

    /** While it is open, whoever writes a line of the log gets what is thrown. */
    AutoCloseable loggerThatFails() {
        PrintStream before = System.err;
        System.setErr(new PrintStream(OutputStream.nullOutputStream()) {
            @Override
            public void println(String line) {
                fail();
            }

            @Override
            public void println(Object line) {
                fail();
            }
        });
        return () -> {
            NodeLog.flush(LONG);
            System.setErr(before);
        };
    }

    // ---------------------------------------------------------------- algorithms

    /** What of an algorithm throws. */
    private enum Part {
        CREATE,
        ON,
        READ,
        WRITE
    }

    /** Each part of an algorithm throws on all nodes, and somebody leads all the same. */
    void algorithmsFail() {
        for (Part part : Part.values()) {
            hasFailed = false;
            log.forget();
            closeCluster();
            cluster = new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new Failing(part)));
            for (String node : cluster.nodes()) {
                start(latch(node));
            }
            if (isFatal()) {
                assertThatThrownBy(this::losesItsLeader)
                        .isInstanceOf(AssertionError.class)
                        .hasCause(thrown);
                isBroken = true;
            } else {
                losesItsLeader();
                for (String node : cluster.nodes()) {
                    assertThat(cluster.client(node).failure())
                            .as("%s at %s", node, part)
                            .isEmpty();
                }
            }
            assertThat(hasFailed).as("%s was called", part).isTrue();
        }
    }

    /** With other messages than at the start: there is somebody to elect. */
    private void losesItsLeader() {
        String first = cluster.awaitLeader(PATH);
        cluster.advance(LONG);
        cluster.isolate(first);
        cluster.awaitLeaderOtherThan(first, PATH);
        cluster.heal();
        cluster.advance(LONG);
    }

    private final class Failing implements ElectionAlgorithm {
        private final BallotAlgorithm ballot = new BallotAlgorithm();
        private final Part part;

        Failing(Part part) {
            this.part = part;
        }

        private void at(Part here) {
            if (part == here) {
                fail();
            }
        }

        @Override
        public String name() {
            return "failing";
        }

        @Override
        public Set<Guarantee> guarantees(Variant variant) {
            return ballot.guarantees(variant);
        }

        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            at(Part.CREATE);
            return new Machine(ballot.create(membership, timing, options));
        }

        @Override
        public Message readMessage(WireReader in) throws MalformedInputException {
            at(Part.READ);
            return new Unwritable(ballot.readMessage(in));
        }

        @Override
        public long usualFailover(Timing timing, int size) {
            return ballot.usualFailover(timing, size);
        }

        /** Says of itself what the other says, unless that is to throw. */
        private final class Unwritable implements Message {
            private final Message message;

            Unwritable(Message message) {
                this.message = message;
            }

            @Override
            public void writeTo(WireWriter out) {
                at(Part.WRITE);
                message.writeTo(out);
            }
        }

        private final class Machine implements Election {
            private final Election machine;

            Machine(Election machine) {
                this.machine = machine;
            }

            @Override
            public List<Effect> on(long now, Event event) {
                at(Part.ON);
                Event unwrapped =
                        event instanceof Event.Received received && received.message() instanceof Unwritable wrapped
                                ? new Event.Received(received.from(), wrapped.message)
                                : event;
                return machine.on(now, unwrapped).stream()
                        .map(effect -> effect instanceof Effect.Send send
                                ? new Effect.Send(send.to(), new Unwritable(send.message()))
                                : effect)
                        .toList();
            }

            @Override
            public OptionalInt leader() {
                return machine.leader();
            }

            @Override
            public boolean isParticipating() {
                return machine.isParticipating();
            }

            @Override
            public State snapshot() {
                return machine.snapshot();
            }

            @Override
            public void restore(State state) {
                machine.restore(state);
            }
        }
    }

    @Override
    public void close() {
        closeCluster();
        log.close();
    }

    private void closeCluster() {
        if (!isBroken) {
            cluster.close();
        }
        isBroken = false;
    }
}
