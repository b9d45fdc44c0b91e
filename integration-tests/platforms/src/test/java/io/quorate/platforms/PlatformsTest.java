package io.quorate.platforms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.platforms.Nodes.Node;
import io.quorate.platforms.Platform.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The application of src/it starts, elects, survives a kill and closes. {@code -Pplatforms} runs it on all platforms and
 * compares the table of the README with what ran; {@code -Drewrite} writes the table.
 */
@Timeout(1_800)
class PlatformsTest {

    private static final int SIGTERM = 128 + 15;
    /** Of quorate-api, quorate-algorithms, quorate-tcp and slf4j-api. */
    private static final long FOUR_JARS_BYTES_MAX = 1_200_000;

    @TempDir
    Path directory;

    /** Three processes elect; the leader is killed, the next one closes, the last one gets SIGTERM. */
    private void elect(Platform platform, Jdk jdk, Transport transport) throws Exception {
        Path files = Files.createTempDirectory(directory, platform.module());
        try (Nodes nodes = Nodes.start(platform, jdk, transport, files)) {
            List<Node> alive = new ArrayList<>(nodes.all());
            Node killed = nodes.awaitLeaderAfter(0, alive);
            // The class path is that of the platform, and no other.
            assertThat(killed.hasSaid("uses " + platform.coreJar()))
                    .as(nodes::describe)
                    .isTrue();
            assertThat(killed.hasSaid("uses " + platform.slf4jJar()))
                    .as(nodes::describe)
                    .isTrue();
            killed.jvm().kill();
            alive.remove(killed);

            Node closed = nodes.awaitLeaderAfter(killed.token(), alive);
            closed.jvm().send("close");
            // Also: no thread that the library has left behind keeps the process.
            assertThat(closed.jvm().awaitExit()).as(nodes::describe).isZero();
            assertThat(closed.hasSaid("closed")).as(nodes::describe).isTrue();
            alive.remove(closed);

            Node last = alive.get(0);
            last.jvm().terminate();
            assertThat(last.jvm().awaitExit()).as(nodes::describe).isIn(0, SIGTERM);
            assertThat(last.hasSaid("closed")).as(nodes::describe).isTrue();
        }
    }

    @Test
    void theFourJarsAreSmallAndBringNothingElse() throws IOException {
        List<Path> jars = Platform.SPRING_BOOT_3_5.jars(Transport.TCP);
        long bytes = 0;
        TreeSet<String> names = new TreeSet<>();
        for (Path jar : jars) {
            String name = jar.getFileName().toString();
            if (name.matches("quorate-.*\\.jar|slf4j-api-.*\\.jar")) {
                names.add(name.replaceAll("-\\d.*", ""));
                bytes += Files.size(jar);
            }
            assertThat(name).doesNotContain("netty").doesNotContain("vertx").doesNotContain("jspecify");
        }
        System.out.println("four jars: " + bytes + " bytes");
        assertThat(names).containsExactly("quorate-algorithms", "quorate-api", "quorate-tcp", "slf4j-api");
        assertThat(bytes).isLessThan(FOUR_JARS_BYTES_MAX);
    }

    @Test
    void onePlatformElects() throws Exception {
        elect(Platform.SPRING_BOOT_3_5, Jdk.RUNNING, Transport.TCP);
    }
}
