package io.quorate.cold;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a fresh process loads, links, allocates and sends from {@code start()} to {@code isLeader}, and from
 * {@code close()} at the leader to {@code isLeader} at the next: what a user's first hand-over costs, exact from run to
 * run. It fails for growth; {@code -Drewrite} writes the file anew. All but the frames is that of JDK 17, and there is
 * room for bytes.
 */
class ColdPathTest {

    private static final Path FILE = Path.of("src", "test", "resources", "cold", "path.txt");
    private static final String LAMBDA = "$$Lambda";
    /** Another JDK allocates otherwise, and loads other classes to verify one. */
    private static final int JDK_OF_THE_FILE = 17;

    private static final double BYTES_ROOM = 1.15;

    /** What lies between two marks. */
    private record Phase(long frames, long kiloBytes, Set<String> classes, Map<String, Integer> lambdas) {

        String text(String title) {
            StringBuilder text = new StringBuilder("# " + title + "\nframes " + frames + "\nkB " + kiloBytes + "\n");
            classes.forEach(name -> text.append("class ").append(name).append('\n'));
            // One line each, so that fewer are a subset.
            lambdas.forEach((name, count) -> IntStream.rangeClosed(1, count).forEach(i -> text.append("lambda ")
                    .append(name)
                    .append(' ')
                    .append(i)
                    .append('\n')));
            return text.toString();
        }
    }

    @TempDir
    private Path directory;

    @Test
    void theFirstStartAndTheFirstHandOverCostNoMore() throws Exception {
        Map<String, long[]> marks = new HashMap<>();
        Path loaded = run(marks);
        Phase start = phase(loaded, marks, "Begun", "Led");
        Phase handOver = phase(loaded, marks, "Closing", "Next");
        System.out.printf(
                "cold path, interpreted: start %d ms, hand-over %d ms of CPU%n",
                marks.get("Led")[2] - marks.get("Begun")[2], marks.get("Next")[2] - marks.get("Closing")[2]);
        String text = start.text("start") + handOver.text("hand-over");
        if (System.getProperty("rewrite") != null) {
            Files.writeString(FILE, text);
        }
        List<String> committed = Files.readAllLines(FILE);
        int second = committed.indexOf("# hand-over");
        assertNoGrowth(start, committed.subList(1, second));
        assertNoGrowth(handOver, committed.subList(second + 1, committed.size()));
    }

    private static void assertNoGrowth(Phase now, List<String> committed) {
        assertThat(now.frames).as("frames; -Drewrite writes %s", FILE).isLessThanOrEqualTo(number(committed.get(0)));
        if (Runtime.version().feature() != JDK_OF_THE_FILE) {
            return;
        }
        assertThat((double) now.kiloBytes).as("kB allocated").isLessThan(BYTES_ROOM * number(committed.get(1)));
        assertThat(now.text("").lines().skip(3))
                .as("classes that are loaded, and lambdas that are linked; -Drewrite writes %s", FILE)
                .isSubsetOf(committed);
    }

    private static long number(String line) {
        return Long.parseLong(line.substring(line.indexOf(' ') + 1));
    }

    private Path run(Map<String, long[]> marks) throws IOException, InterruptedException {
        Path loaded = directory.resolve("loaded.txt");
        Path said = directory.resolve("said.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xint",
                        "-Xshare:off",
                        "-XX:+UseSerialGC",
                        "-Xlog:class+load=info:file=" + loaded + ":none",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ColdPath.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String output = Files.readString(said, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(output).isZero();
        output.lines()
                .map(line -> line.split(" "))
                .filter(words -> words.length == 4)
                .forEach(words -> marks.put(
                        words[0],
                        new long[] {Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])}));
        return loaded;
    }

    private static Phase phase(Path loaded, Map<String, long[]> marks, String from, String to) throws IOException {
        List<String> names = new ArrayList<>();
        for (String line : Files.readAllLines(loaded, StandardCharsets.UTF_8)) {
            names.add(line.split(" ", 2)[0]);
        }
        int begin = names.indexOf(ColdPath.class.getName() + "$" + from);
        int end = names.indexOf(ColdPath.class.getName() + "$" + to);
        assertThat(begin).isBetween(0, end);
        Set<String> classes = new TreeSet<>();
        Map<String, Integer> lambdas = new TreeMap<>();
        for (String name : names.subList(begin + 1, end)) {
            boolean isOurs = name.startsWith("io.quorate.")
                    && !name.startsWith("io.quorate.testkit.")
                    && !name.startsWith("io.quorate.cold.");
            if (!isOurs) {
                continue;
            }
            int lambda = name.indexOf(LAMBDA);
            if (lambda > 0) {
                lambdas.merge(name.substring(0, lambda), 1, Integer::sum);
            } else {
                classes.add(name);
            }
        }
        return new Phase(
                marks.get(to)[0] - marks.get(from)[0],
                (marks.get(to)[1] - marks.get(from)[1]) / 1024,
                classes,
                lambdas);
    }
}
