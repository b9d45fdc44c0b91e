package io.quorate.platforms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.platforms.Nodes.Node;
import io.quorate.platforms.Platform.Transport;
import io.quorate.testkit.RealTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The application of src/it starts, elects, survives a kill and closes. {@code -Dsuite=platforms} runs it on all platforms and
 * compares the table of the README with what ran; {@code -Drewrite} writes the table.
 */
class PlatformsTest {

    private static final int SIGTERM = 128 + 15;
    /** Counts what {@code quorate} brings, and slf4j-api. */
    private static final long JARS_BYTES_MAX = 1_300_000;
    /** The JDKs of the table. */
    private static final Set<Integer> JDKS = Set.of(17, 25);

    @TempDir
    private Path directory;

    /**
     * Three processes elect; the leader is killed, the next one closes, the last one gets SIGTERM. Answers false if they
     * have refused to start, and fails unless they say what to do.
     */
    private boolean elects(Platform platform, Jdk jdk, Transport transport) throws Exception {
        Path files = Files.createTempDirectory(directory, platform.module());
        try (Nodes nodes = Nodes.start(platform, jdk, transport, files)) {
            if (!nodes.doElect()) {
                assertSaysWhatToDo(nodes);
                return false;
            }
            List<Node> alive = new ArrayList<>(nodes.all());
            Node killed = nodes.awaitLeaderAfter(0, alive);
            assertThat(killed.hasLoaded(platform, platform.core()))
                    .as(nodes::describe)
                    .isTrue();
            assertThat(killed.hasLoaded(platform, "slf4j-api"))
                    .as(nodes::describe)
                    .isTrue();
            killed.jvm().kill();
            alive.remove(killed);

            Node closed = nodes.awaitLeaderAfter(killed.token(), alive);
            closed.jvm().send("close");
            // No thread that the library has left behind keeps the process.
            assertThat(closed.jvm().awaitExit()).as(nodes::describe).isZero();
            assertThat(closed.hasSaid("closed")).as(nodes::describe).isTrue();
            alive.remove(closed);

            Node last = alive.get(0);
            last.jvm().terminate();
            assertThat(last.jvm().awaitExit()).as(nodes::describe).isIn(0, SIGTERM);
            assertThat(last.hasSaid("closed")).as(nodes::describe).isTrue();
            return true;
        }
    }

    private static void assertSaysWhatToDo(Nodes nodes) throws Exception {
        for (Node node : nodes.all()) {
            assertThat(node.jvm().awaitExit()).as(node::describe).isNotZero();
            assertThat(node.output()).as(node::describe).anySatisfy(line -> assertThat(line)
                    .contains("transport 'vertx': does not fit the class path", "artifact quorate-tcp"));
        }
    }

    @Test
    void theJarsAreSmallAndBringNothingElse() throws IOException {
        long bytes = 0;
        Set<String> names = new TreeSet<>();
        for (Path jar : Platform.SPRING_BOOT_3_5.jars(Transport.TCP)) {
            String name = jar.getFileName().toString();
            if (name.matches("(quorate|slf4j-api)-.*\\.jar")) {
                names.add(name.replaceAll("-\\d.*", ""));
                bytes += Files.size(jar);
            }
            assertThat(name).doesNotContain("netty", "vertx", "jspecify");
        }
        assertThat(names)
                .containsExactly(
                        "quorate", "quorate-algorithms", "quorate-api", "quorate-engine", "quorate-tcp", "slf4j-api");
        System.out.println("platforms: the jars have " + bytes + " bytes");
        assertThat(bytes).isLessThan(JARS_BYTES_MAX);
    }

    @Test
    @RealTime
    void onePlatformElectsAndIsInTheTable() throws Exception {
        Platform platform = Platform.SPRING_BOOT_3_5;
        assertThat(elects(platform, Jdk.RUNNING, Transport.TCP)).isTrue();
        String row = PlatformTable.row(platform, Map.of(Transport.TCP, JDKS, Transport.VERTX, Set.of()));
        assertThat(PlatformTable.committed())
                .as("the README; -Dsuite=platforms -Drewrite writes it")
                .contains(row);
    }

    @Test
    @Tag("platforms")
    void theTableIsWhatRuns() throws Exception {
        Map<Integer, Jdk> jdks = Jdk.all();
        jdks.keySet().retainAll(JDKS);
        // Otherwise nothing would run, and a table of nothing would be as expected.
        assertThat(jdks)
                .as("JDKs of the table, of which -Dplatforms.jdks=HOME,HOME names some")
                .isNotEmpty();
        Set<Integer> missing = new TreeSet<>(JDKS);
        missing.removeAll(jdks.keySet());
        if (!missing.isEmpty()) {
            System.out.println("platforms: NOT TESTED on JDK " + missing
                    + ", which is missing; -Dplatforms.jdks=HOME,HOME says where JDKs are");
        }
        List<String> rows = new ArrayList<>();
        for (Platform platform : Platform.ALL) {
            Map<Transport, Set<Integer>> ran = new EnumMap<>(Transport.class);
            for (Transport transport : Transport.values()) {
                ran.put(transport, new TreeSet<>());
                for (Jdk jdk : jdks.values()) {
                    boolean elects = elects(platform, jdk, transport);
                    System.out.println("platforms: " + platform.name() + ", " + jdk + ", " + transport + ": "
                            + (elects ? "elects" : "does not start"));
                    if (elects) {
                        ran.get(transport).add(jdk.feature());
                    }
                }
            }
            rows.add(PlatformTable.row(platform, ran));
        }
        if (System.getProperty("rewrite") != null) {
            assertThat(missing)
                    .as("the table is written by a run on all its JDKs")
                    .isEmpty();
            PlatformTable.write(rows);
        } else {
            List<String> expected = PlatformTable.committed().stream()
                    .map(row -> PlatformTable.without(row, missing))
                    .toList();
            assertThat(rows).as("the README; -Drewrite writes it").isEqualTo(expected);
        }
    }
}
