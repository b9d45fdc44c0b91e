package com.example.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportException;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.testkit.TransportConformance;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** A transport from outside passes the kit, and each wrong one fails in the test that is meant for it. */
class OneShotConformanceTest extends TransportConformance {

    @Override
    protected Duration deadline() {
        return Duration.ofMinutes(10);
    }

    // How fast it is, is no claim of a build on a busy machine.
    @Override
    protected Duration sendMax() {
        return deadline();
    }

    @Override
    protected Transport transport(Settings settings) {
        return new OneShotTransport(settings);
    }

    /** The kit with one transport that breaks the contract. */
    abstract static class Wrong extends TransportConformance {
        @Override
        protected Duration deadline() {
            return Duration.ofSeconds(2);
        }
    }

    static class Shortening extends Wrong {
        @Override
        protected Transport transport(Settings settings) {
            return new OneShotTransport(settings) {
                @Override
                public void send(NodeId to, byte[] frame) {
                    super.send(to, frame.length > 1_000 ? Arrays.copyOf(frame, frame.length - 1) : frame);
                }
            };
        }
    }

    static class Broadcasting extends Wrong {
        @Override
        protected Transport transport(Settings settings) {
            return new OneShotTransport(settings) {
                @Override
                public void send(NodeId to, byte[] frame) {
                    settings.addresses().keySet().forEach(node -> super.send(node, frame));
                }
            };
        }
    }

    static class Cutting extends Wrong {
        @Override
        protected Transport transport(Settings settings) {
            return new OneShotTransport(settings) {
                @Override
                public void send(NodeId to, byte[] frame) {
                    super.send(to, Arrays.copyOf(frame, Math.min(frame.length, FRAME_LENGTH_MAX)));
                }
            };
        }
    }

    static class Unstarted extends Wrong {
        @Override
        protected Transport transport(Settings settings) {
            return new OneShotTransport(settings) {
                private boolean isStarted;

                @Override
                public void start(Receiver receiver) {
                    if (!isStarted) {
                        isStarted = true;
                        super.start(receiver);
                    }
                }

                @Override
                public void send(NodeId to, byte[] frame) {
                    if (isStarted) {
                        super.send(to, frame);
                    }
                }
            };
        }
    }

    static class Curious extends Wrong {
        @Override
        protected Transport transport(Settings settings) {
            return new OneShotTransport(settings) {
                @Override
                public void send(NodeId to, byte[] frame) {
                    if (!settings.addresses().containsKey(to)) {
                        throw new IllegalArgumentException("who is " + to + "?");
                    }
                    super.send(to, frame);
                }
            };
        }
    }

    /** Sends to the address that it has learned last if a node is away. */
    static class Movable extends Wrong {
        @Override
        protected Transport transport(Settings settings) {
            return new OneShotTransport(settings) {
                private final Map<HostAndPort, NodeId> nodes = settings.addresses().entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));
                private final Map<NodeId, NodeId> moved = new TreeMap<>();

                @Override
                public void reach(NodeId node, HostAndPort address) {
                    moved.put(node, nodes.get(address));
                }

                @Override
                public void send(NodeId to, byte[] frame) {
                    super.send(isAway(settings.addresses().get(to)) ? moved.getOrDefault(to, to) : to, frame);
                }
            };
        }
    }

    private static boolean isAway(HostAndPort address) {
        try (Socket socket = new Socket(address.host(), address.port())) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    static class Nameless extends Wrong {
        @Override
        protected Transport transport(Settings settings) {
            return new OneShotTransport(settings) {
                @Override
                public void start(Receiver receiver) {
                    try {
                        super.start(receiver);
                    } catch (TransportException e) {
                        throw new TransportException("cannot listen", e);
                    }
                }
            };
        }
    }

    static class Immortal extends Wrong {
        @Override
        protected Transport transport(Settings settings) {
            return new OneShotTransport(settings) {
                @Override
                public void close() {
                    // Nothing ends.
                }
            };
        }
    }

    static class Leaking extends Wrong {
        private static final CountDownLatch NEVER = new CountDownLatch(1);

        @Override
        protected Transport transport(Settings settings) {
            return new OneShotTransport(settings) {
                @Override
                public void start(Receiver receiver) {
                    super.start(receiver);
                    Thread thread = new Thread(
                            () -> {
                                try {
                                    NEVER.await();
                                } catch (InterruptedException e) {
                                    // Nobody does.
                                }
                            },
                            "left over");
                    thread.setDaemon(true);
                    thread.start();
                }
            };
        }
    }

    static class Blocking extends Wrong {
        @Override
        protected Transport transport(Settings settings) {
            return new OneShotTransport(settings) {
                private int sent;

                @Override
                public void send(NodeId to, byte[] frame) {
                    super.send(to, frame);
                    if (frame.length > 1_000 && ++sent == 10) {
                        // Justification: a lower bound. A send that takes longer is just as wrong.
                        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(3));
                    }
                }
            };
        }
    }

    static class Hoarding extends Wrong {
        @Override
        protected Transport transport(Settings settings) {
            return new OneShotTransport(settings) {
                private final List<byte[]> sent = new ArrayList<>();

                @Override
                public void send(NodeId to, byte[] frame) {
                    super.send(to, frame);
                    sent.add(frame);
                }
            };
        }
    }

    private static final Map<String, Class<? extends Wrong>> WRONG = Map.ofEntries(
            Map.entry("framesOfAllLengthsArriveUnchanged", Shortening.class),
            Map.entry("framesGoBetweenAllPairsInBothDirections", Broadcasting.class),
            Map.entry("frameThatIsTooLongIsRefused", Cutting.class),
            Map.entry("sendBeforeTheStartIsRefused", Unstarted.class),
            Map.entry("secondStartIsRefusedAndHarmsNothing", Unstarted.class),
            Map.entry("unknownReceiverIsNoError", Curious.class),
            Map.entry("learnedAddressDoesNotMoveANodeOfTheSettings", Movable.class),
            Map.entry("ofConcurrentStartsOnOnePortOneSucceedsAndTheOthersNameIt", Nameless.class),
            Map.entry("closeTwiceIsNoErrorAndNothingWorksAfterwards", Immortal.class),
            Map.entry("peerThatRestartsIsReachedAgain", Immortal.class),
            Map.entry("noThreadAndNoSocketIsLeftAfterClose", Leaking.class),
            Map.entry("peerThatDoesNotReadCostsNoTimeAndLittleMemory", Blocking.class),
            Map.entry("strangerThatAcceptsAndNeverReadsCostsNoTimeAndLittleMemory", Hoarding.class));

    static Stream<String> tests() {
        return WRONG.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("tests")
    void wrongTransportFails(String test) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectMethod(WRONG.get(test), test))
                                .build(),
                        listener);
        assertThat(listener.getSummary().getTestsStartedCount()).isEqualTo(1);
        assertThat(listener.getSummary().getTestsFailedCount()).isEqualTo(1);
    }
}
