package io.quorate.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.Inbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a transport has outside of the heap comes back when it is closed, and not when a collector finds out. */
class DirectMemoryTest {

    private static final int ROUNDS = 30;

    // Two have a few hundred kilobytes; thirty times that does not fit.
    @Test
    void transportsThatAreClosedKeepNothingOutsideOfTheHeap() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:MaxDirectMemorySize=2m",
                        "-XX:+DisableExplicitGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Starts.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
            assertThat(said).contains(ROUNDS + " rounds").doesNotContain("OutOfMemoryError");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Transports that begin, speak and end, again and again. */
    static final class Starts {

        private Starts() {}

        public static void main(String[] arguments) throws IOException {
            for (int round = 1; round <= ROUNDS; round++) {
                try (Nodes nodes = new Nodes("a", "b")) {
                    Inbox inbox = new Inbox();
                    nodes.start("b", inbox);
                    TcpTransport a = nodes.start("a", new Inbox());
                    Deadline.repeat(
                            () -> a.send(new NodeId("b"), new byte[40_000]),
                            () -> !inbox.all().isEmpty(),
                            inbox::all);
                }
            }
            System.out.println(ROUNDS + " rounds");
        }
    }
}
