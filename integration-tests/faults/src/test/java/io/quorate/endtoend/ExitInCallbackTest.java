package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatchListener;
import io.quorate.LeaderSelector;
import io.quorate.LeaderSelectorListenerAdapter;
import io.quorate.engine.Connection;
import io.quorate.process.ChildJvm;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A listener that ends its JVM, with the hook of the documents, which does not wait for the listener. */
class ExitInCallbackTest {

    private static final int CODE = 3;
    private static final String LATE = "have not returned";
    /** The work of a leader begins when its callbacks have returned. */
    private static final String NOT_BEGUN = "its drain has not completed";

    /** The process. Its first argument is the callback that ends it; the other latch cleans up in the meantime. */
    static final class Main {

        private Main() {}

        public static void main(String[] arguments) throws Exception {
            if (arguments[0].equals("elsewhere")) {
                exitElsewhere();
            }
            FakeEngine engine = new FakeEngine();
            ElectionClient client = Clients.over(
                    engine, Clients.config().drainTimeout(Duration.ofSeconds(5)).build());
            Runtime.getRuntime().addShutdownHook(new Thread(client::close));
            client.start();
            engine.connect(Connection.CONNECTED);
            LeaderLatch other = new LeaderLatch(client, "/other", "n1", CloseMode.NOTIFY_LEADER);
            CountDownLatch otherLeads = new CountDownLatch(1);
            other.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    otherLeads.countDown();
                }

                @Override
                public void notLeader() {
                    // Work of a while, during which the hook looks several times.
                    pause(1_000);
                    System.out.println("the other has cleaned up");
                }
            });
            other.start();
            engine.last().grant(1);
            otherLeads.await();
            if (arguments[0].equals("elsewhere")) {
                Thread.currentThread().join();
            }
            if (arguments[0].equals("selector")) {
                engine.grantAtOnce();
                new LeaderSelector(client, "/p", new LeaderSelectorListenerAdapter() {
                            @Override
                            public void takeLeadership(ElectionClient led) {
                                System.exit(CODE);
                            }
                        })
                        .start();
                Thread.currentThread().join();
            }
            LeaderLatch latch = new LeaderLatch(client, "/p", "n1", CloseMode.NOTIFY_LEADER);
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    if (arguments[0].equals("isLeader that has resigned")) {
                        latch.resign();
                    }
                    if (arguments[0].startsWith("isLeader")) {
                        System.exit(CODE);
                    }
                }

                @Override
                public void notLeader() {
                    System.exit(CODE);
                }
            });
            if (arguments[0].equals("work")) {
                latch.drain(leadership -> exit(), Duration.ofSeconds(5));
            } else if (arguments[0].startsWith("isLeader ")) {
                latch.drain(leadership -> CompletableFuture.completedFuture(null), Duration.ofSeconds(5));
            }
            latch.start();
            engine.last().grant(2);
            if (arguments[0].equals("work")) {
                latch.resign();
            }
            if (!arguments[0].equals("notLeader")) {
                Thread.currentThread().join();
            }
            System.exit(CODE);
        }

        private static CompletableFuture<Void> exit() {
            System.exit(CODE);
            throw new AssertionError("the JVM has not ended");
        }

        /** Another client, which no hook closes, has a listener that is about to end the JVM. */
        private static void exitElsewhere() throws Exception {
            FakeEngine engine = new FakeEngine();
            ElectionClient client = Clients.over(engine);
            client.start();
            engine.connect(Connection.CONNECTED);
            LeaderLatch latch = new LeaderLatch(client, "/elsewhere", "n1");
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    pause(1_000);
                    System.exit(CODE);
                }

                @Override
                public void notLeader() {}
            });
            latch.start();
            engine.last().grant(1);
        }

        private static void pause(long millis) {
            try {
                // Justification: stands for work, and the test claims nothing about its time.
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "isLeader",
                "isLeader with work",
                "isLeader that has resigned",
                "work",
                "notLeader",
                "elsewhere",
                "selector"
            })
    void hooksDoNotWaitForListenersThatEndTheJvm(String callback) throws Exception {
        Process process = start(callback);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(CODE);
        assertThat(said).contains("the other has cleaned up").doesNotContain(LATE, NOT_BEGUN);
    }

    private static Process start(String callback) throws IOException {
        return new ProcessBuilder(ChildJvm.Command.of(Main.class, List.of(callback), ChildJvm.SMALL)
                        .words())
                .redirectErrorStream(true)
                .start();
    }
}
