package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.EventLoop;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider;
import io.quorate.tandem.Companion;
import io.quorate.tandem.TandemLatch;
import io.quorate.testkit.RecordingListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Where the library calls code of others: which interface, from which files, and what happens when it throws. On a
 * node's thread, a {@link VirtualMachineError} but a {@link StackOverflowError} ends the node, and others take over.
 */
enum ForeignPlace {
    /** Said once per callback. The next listener is told, and the latch leads. */
    LATCH_LISTENER(LeaderLatchListener.class, "CurrentTenure, LatchContender, Parting") {
        @Override
        void run(ForeignScene scene) {
            LeaderLatch latch = scene.latch("n1");
            RecordingListener next = new RecordingListener();
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    scene.fail();
                }

                @Override
                public void notLeader() {
                    scene.fail();
                }
            });
            latch.addListener(next);
            scene.start(latch);
            scene.cluster().awaitUntil("it is told", () -> next.events.contains("isLeader"));
            assertThat(latch.hasLeadership()).isTrue();
            scene.cluster().isolate("n1");
            scene.cluster().awaitUntil("it is told of the end", () -> next.events.contains("notLeader"));
            scene.cluster().heal();
            scene.cluster().awaitUntil("it leads again", latch::hasLeadership);
            scene.saidAtLeastOnce("listener", "threw");
        }
    },

    FENCED_LISTENER(FencedLeaderLatchListener.class, "CurrentTenure") {
        @Override
        void run(ForeignScene scene) {
            LeaderLatch latch = scene.latch("n1");
            RecordingListener next = new RecordingListener();
            latch.addListener(new FencedLeaderLatchListener() {
                @Override
                public void isLeader(long fencingToken) {
                    scene.fail();
                }

                @Override
                public void notLeader() {
                    scene.fail();
                }
            });
            latch.addListener(next);
            scene.start(latch);
            scene.cluster().awaitUntil("it is told", () -> next.events.contains("isLeader"));
            assertThat(latch.hasLeadership()).isTrue();
            scene.said(1, "listener", "threw");
        }
    },

    /** Said once per callback. The listener misses it, as if it had thrown; the others do not. */
    LISTENERS_EXECUTOR(
            Executor.class,
            "CurrentTenure, Draining, ElectionClient, Eligibility, LeadershipStages, ListenerSet, TandemCondition") {
        @Override
        void run(ForeignScene scene) {
            LeaderLatch latch = scene.latch("n1");
            RecordingListener next = new RecordingListener();
            latch.addListener(new RecordingListener(), task -> scene.fail());
            latch.addListener(next);
            scene.start(latch);
            scene.cluster().awaitUntil("it is told", () -> next.events.contains("isLeader"));
            assertThat(latch.hasLeadership()).isTrue();
            scene.said(1, "the executor of listener", "refused a callback");
            scene.cluster().isolate("n1");
            scene.cluster().awaitUntil("it is told of the end", () -> next.events.contains("notLeader"));
            scene.cluster().heal();
            scene.cluster().awaitUntil("it leads again", latch::hasLeadership);
        }
    },

    /** Said once per callback. The next listener is told. */
    OBSERVER_LISTENER(LeaderObserverListener.class, "LeaderObserver") {
        @Override
        void run(ForeignScene scene) {
            LeaderObserver observer = new LeaderObserver(scene.cluster().client("n2"), ForeignScene.PATH);
            List<String> heard = new ArrayList<>();
            observer.getListenable().addListener((leader, token) -> scene.fail());
            observer.getListenable().addListener((leader, token) -> heard.add(leader.getId()));
            observer.start();
            scene.start(scene.latch("n1"));
            scene.cluster().awaitUntil("the next listener is told", () -> heard.contains("n1"));
            scene.saidAtLeastOnce("listener", "threw");
            observer.close();
        }
    },

    /** Said once per change. The next listener is told. */
    CONNECTION_LISTENER(ConnectionStateListener.class, "ElectionClient") {
        @Override
        void run(ForeignScene scene) {
            ElectionClient client = scene.cluster().client("n1");
            List<ConnectionState> heard = new ArrayList<>();
            client.getConnectionStateListenable().addListener((source, state) -> scene.fail());
            client.getConnectionStateListenable().addListener((source, state) -> heard.add(state));
            LeaderLatch latch = scene.latch("n1");
            scene.start(latch);
            scene.cluster().awaitUntil("it leads", latch::hasLeadership);
            scene.cluster().isolate("n1");
            scene.cluster().awaitUntil("the next listener is told", () -> heard.contains(ConnectionState.LOST));
            scene.cluster().heal();
            scene.cluster().awaitUntil("it leads again", latch::hasLeadership);
            scene.saidAtLeastOnce("listener", "threw");
        }
    },

    /** Said once per attempt. The selector pauses, and others lead: {@code LeaderSelectorTest}. */
    SELECTOR_LISTENER(LeaderSelectorListener.class, "LeaderSelector", "LeaderSelectorTest"),

    /** Thrown to whoever asks for the attempt, which can be asked for again. */
    SELECTOR_EXECUTOR(ExecutorService.class, "LeaderSelector") {
        @Override
        void run(ForeignScene scene) {
            AtomicBoolean isWell = new AtomicBoolean();
            Queue<Runnable> tasks = new ArrayDeque<>();
            ForeignScene.Given given = new ForeignScene.Given(task -> {
                if (!isWell.get()) {
                    scene.fail();
                }
                tasks.add(task);
            });
            AtomicBoolean hasLed = new AtomicBoolean();
            LeaderSelector selector = new LeaderSelector(
                    scene.cluster().client("n1"), ForeignScene.PATH, given, new LeaderSelectorListenerAdapter() {
                        @Override
                        public void takeLeadership(ElectionClient client) {
                            hasLed.set(true);
                        }
                    });
            assertThatThrownBy(selector::start).isSameAs(scene.thrown());
            isWell.set(true);
            assertThat(selector.requeue()).isTrue();
            // On the thread of the test: time would run out beside another one that the machine does not run.
            tasks.remove().run();
            assertThat(hasLed).isTrue();
            selector.close();
        }
    },

    /** Said once per departure. The work counts as finished, and another leads. */
    DRAIN(Function.class, "Draining") {
        @Override
        void run(ForeignScene scene) {
            LeaderLatch latch = scene.latch("n1");
            latch.drain(
                    leadership -> {
                        scene.fail();
                        return CompletableFuture.completedFuture(null);
                    },
                    Duration.ofMinutes(1));
            scene.start(latch);
            scene.cluster().awaitUntil("it leads", latch::hasLeadership);
            LeaderLatch next = scene.latch("n2");
            scene.start(next);
            scene.cluster().advance(Duration.ofSeconds(5));
            latch.resign();
            scene.cluster().awaitUntil("the next one leads", next::hasLeadership);
            scene.said(1, "its drain failed with", "it resigns");
        }
    },

    /** Said once until it answers. It ranks last meanwhile, and is asked again. */
    ELIGIBLE_WHILE(BooleanSupplier.class, "Eligibility") {
        @Override
        void run(ForeignScene scene) {
            AtomicBoolean isWell = new AtomicBoolean();
            scene.cluster().client("n1").eligibleWhile(() -> {
                if (!isWell.get()) {
                    scene.fail();
                }
                return true;
            });
            LeaderLatch latch = scene.latch("n1");
            scene.start(latch);
            scene.cluster()
                    .awaitUntil("it says why", () -> latch.explain().toString().contains("threw when it was asked"));
            scene.said(1, "eligibleWhile", "threw when it was asked");
            isWell.set(true);
            scene.cluster()
                    .awaitUntil(
                            "it is eligible", () -> !latch.explain().toString().contains("threw when it was asked"));
            scene.cluster().awaitUntil("it leads", latch::hasLeadership);
        }
    },

    /** Said each time. The companion is started again after a while, and does not lead while it throws. */
    COMPANION(Companion.class, "CompanionGuard") {
        @Override
        void run(ForeignScene scene) {
            AtomicBoolean isWell = new AtomicBoolean();
            Companion companion = new Companion() {
                private void act() {
                    if (!isWell.get()) {
                        scene.fail();
                    }
                }

                @Override
                public void start() {
                    act();
                }

                @Override
                public void close() {
                    act();
                }

                @Override
                public boolean hasLeadership() {
                    act();
                    return true;
                }

                @Override
                public void onChange(Runnable changed) {
                    act();
                }
            };
            scene.moves();
            TandemLatch tandem = new TandemLatch(companion, scene.cluster().client("n1"), ForeignScene.PATH, "n1");
            scene.start(tandem);
            scene.cluster().advance(Duration.ofSeconds(1));
            scene.said(1, "its companion did not start");
            isWell.set(true);
            scene.cluster().awaitUntil("it leads", tandem::hasLeadership);
            isWell.set(false);
            assertThat(tandem.hasLeadership()).isFalse();
            scene.saidAtLeastOnce("threw when it was asked whether it leads");
            tandem.closeAsync();
            scene.cluster().advance(Duration.ofSeconds(1));
            scene.said(1, "threw when it was closed");
        }
    },

    /** Said once. The monitor hears nothing more, of nothing or of callbacks. */
    MONITOR(ClientMonitor.class, "ClientMonitors, Monitors") {
        @Override
        void run(ForeignScene scene) {
            ElectionClient client = scene.cluster().client("n1");
            client.addMonitor(new ClientMonitor() {
                @Override
                public void leads(String path, long fencingToken) {
                    scene.fail();
                }
            });
            scene.start(scene.latch("n1"));
            if (scene.isFatal()) {
                scene.endsItsNode();
                return;
            }
            assertThat(scene.cluster().awaitLeader(ForeignScene.PATH)).isEqualTo("n1");
            scene.cluster().advance(ForeignScene.LONG);
            assertThat(scene.cluster().leader(ForeignScene.PATH)).contains("n1");
            scene.said(1, "a monitor threw");
        }
    },

    MONITOR_OF_CALLBACKS((Class<?>) null, "") {
        @Override
        void run(ForeignScene scene) {
            scene.cluster().client("n1").addMonitor(new ClientMonitor() {
                @Override
                public void callbackReturned(String path, String callback, java.time.Duration took, boolean hasThrown) {
                    scene.fail();
                }
            });
            LeaderLatch latch = scene.latch("n1");
            RecordingListener listener = new RecordingListener();
            latch.addListener(listener);
            scene.start(latch);
            scene.cluster().awaitUntil("it is told", () -> listener.events.contains("isLeader"));
            scene.cluster().isolate("n1");
            scene.cluster().awaitUntil("it is told of the end", () -> listener.events.contains("notLeader"));
            scene.said(1, "A monitor threw, and hears no more of callbacks");
        }
    },

    /** Thrown to whoever builds the client. */
    ERROR_POLICY(ConnectionStateErrorPolicy.class, "ElectionClient, LeaderSelectorListenerAdapter") {
        @Override
        void run(ForeignScene scene) {
            assertThatThrownBy(() -> ElectionClient.builder()
                            .nodeId("n1")
                            .peers("n1=127.0.0.1:7400")
                            .transport("tcp")
                            .connectionStateErrorPolicy(state -> {
                                scene.fail();
                                return true;
                            })
                            .build())
                    .isSameAs(scene.thrown());
        }
    },

    /** The election is lost, which {@code explain()} says. Patience carries on: somebody leads. */
    ALGORITHM(ElectionAlgorithm.class, "ElectionAttempt, ElectionDriver, MessageCodec, Plugins, StepContext, Voter") {
        @Override
        void run(ForeignScene scene) {
            scene.algorithmsFail();
        }
    },

    /** As {@link #ALGORITHM}, which throws there too. */
    MACHINE(io.quorate.spi.Election.class, "ElectionAttempt", "ForeignScene"),
    /** The message is lost. {@link #ALGORITHM} throws there too. */
    MESSAGE(io.quorate.spi.Message.class, "MessageCodec", "ForeignScene"),

    /** Said once a minute for each peer. The frame is lost. */
    TRANSPORT(Transport.class, "CheckedProvider, ElectionDriver, Post", "PostTest"),
    /**
     * The node of a loop that refuses tasks fails, and the watch takes its turns. A loop that cannot be told when the
     * node is due is asked again by the watch.
     */
    LOOP(EventLoop.class, "LoopTurns", "LoopTurnsTest"),

    /** Passed over, and said once per look. What {@code create} throws is thrown to whoever starts the client. */
    TRANSPORT_PROVIDER(TransportProvider.class, "CheckedProvider, Plugins", "PluginsTest"),

    /** The line is lost, and nothing else. */
    LOGGER((Class<?>) null, "") {
        @Override
        void run(ForeignScene scene) {
            LeaderLatch latch = scene.latch("n1");
            RecordingListener next = new RecordingListener();
            latch.addListener(new RecordingListener(), task -> scene.fail());
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    throw new IllegalStateException("to be said");
                }

                @Override
                public void notLeader() {
                    throw new IllegalStateException("to be said");
                }
            });
            latch.addListener(next);
            try (AutoCloseable failing = scene.loggerThatFails()) {
                scene.start(latch);
                scene.cluster().awaitUntil("it is told", () -> next.events.contains("isLeader"));
                scene.cluster().isolate("n1");
                scene.cluster().awaitUntil("it is told of the end", () -> next.events.contains("notLeader"));
                scene.cluster().heal();
                scene.cluster().awaitUntil("it leads again", latch::hasLeadership);
                latch.close(CloseMode.NOTIFY_LEADER);
                scene.cluster().client("n1").close();
                assertThat(failing).isNotNull();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    },

    /** Thrown to Spring, which starts nothing. */
    SPRING_CUSTOMIZER(
            "io.quorate.spring.ElectionClientBuilderCustomizer",
            "QuorateAutoConfiguration",
            "QuorateAutoConfigurationTest"),
    /** Said once per call. A candidate that throws gives leadership up, and contends again after a pause. */
    SPRING_CANDIDATE((Class<?>) null, "", "QuorateLeaderInitiatorTest"),
    /** Said once per event. The next observer is told. */
    CDI_OBSERVER((Class<?>) null, "", "LeaderEventsTest"),
    /** Said once per change of the files. The node goes on with the keys that it has. */
    FILES_OF_KEYS((Class<?>) null, "", "KeyringTest"),
    /** Said once. The message is dropped and counted. */
    VERTX((Class<?>) null, "", "VertxTransportTest"),
    /** Said once per try. Leadership is handed on. */
    VERTICLE((Class<?>) null, "", "SingletonVerticleTest");

    private final Optional<String> type;
    private final List<String> callers;
    private final Optional<String> test;

    ForeignPlace(Class<?> type, String callers) {
        this(type, callers, null);
    }

    ForeignPlace(Class<?> type, String callers, String test) {
        this(type == null ? null : type.getName(), callers, test);
    }

    /** @param test the class that throws there, where this one cannot */
    ForeignPlace(String type, String callers, String test) {
        this.type = Optional.ofNullable(type);
        this.callers = callers.isEmpty() ? List.of() : List.of(callers.split(", "));
        this.test = Optional.ofNullable(test);
    }

    /** The name of the interface; empty if it is none of this library, or listed already. */
    Optional<String> type() {
        return type;
    }

    List<String> callers() {
        return callers;
    }

    Optional<String> test() {
        return test;
    }

    /** Throws at this place, and checks what is said and goes on. */
    void run(ForeignScene scene) {
        throw new UnsupportedOperationException(this + " is tested by " + test);
    }
}
