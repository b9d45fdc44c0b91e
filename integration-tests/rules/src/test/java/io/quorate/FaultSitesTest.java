package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * docs/faults.md#places: each place that handles an error, waits, continues a future or makes a thread has a verdict. A
 * new one changes the numbers of its class, and so does one that is gone.
 */
class FaultSitesTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");

    /** The columns of the table, in their order. */
    private static final List<Pattern> KINDS = List.of(
            Pattern.compile("catch \\((?:final )?(?:Throwable|Error|OutOfMemoryError|VirtualMachineError)\\b"),
            Pattern.compile(
                    "\\.await\\(|\\bawaitNanos\\(|\\bawaitUntil\\(|\\bawaitTermination\\(|BoundedWait\\.isOver\\("
                            + "|LockSupport\\.park|\\btimedJoin\\(|\\.get\\([^()]*TimeUnit\\."
                            + "|\\.get\\([^()]*(?:\\(\\))?[^()]*, (?:NANO|MILLI)?SECONDS\\)"),
            Pattern.compile(
                    "\\.(?:thenCompose|thenRun|thenAccept|thenApply|whenComplete|exceptionally|handle|onComplete"
                            + "|onSuccess|onFailure|eventually|transform)\\("),
            Pattern.compile("\\bnew Thread\\(|\\bnewThread\\(|\\bDaemons\\.(?:thread|named)\\("));

    private static final Pattern ROW =
            Pattern.compile("\\| `(\\w+)` \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (.+) \\|");

    /** Programs end with their process. */
    private static boolean isLooked(String file) {
        return (file.startsWith("plugin-api/api/") || file.startsWith("plugin-impls/"))
                && file.contains("/src/main/java/")
                && file.endsWith(".java")
                && !file.startsWith("plugin-impls/cli/")
                && !file.startsWith("plugin-impls/lab/")
                && !file.startsWith("plugin-impls/testkit/");
    }

    private static List<Integer> counts(String code) {
        String plain = COMMENT.matcher(code).replaceAll("");
        return KINDS.stream()
                .map(kind -> (int) kind.matcher(plain).results().count())
                .toList();
    }

    @Test
    void eachPlaceHasAVerdict() throws IOException {
        Map<String, List<Integer>> found = new TreeMap<>();
        for (String file : Wording.sources(ROOT)) {
            List<Integer> counts = isLooked(file) ? counts(Files.readString(ROOT.resolve(file))) : List.of(0);
            if (counts.stream().anyMatch(count -> count > 0)) {
                String name = file.replaceFirst(".*/(\\w+)\\.java", "$1");
                assertThat(found.put(name, counts))
                        .as("two classes named %s: the table needs their packages", name)
                        .isNull();
            }
        }
        Map<String, List<Integer>> listed = new TreeMap<>();
        for (String line : Files.readAllLines(ROOT.resolve("plugin-api/docs/faults.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                listed.put(
                        row.group(1),
                        List.of(2, 3, 4, 5).stream()
                                .map(column -> Integer.valueOf(row.group(column)))
                                .collect(Collectors.toList()));
            }
        }
        assertThat(found).containsKeys("Loop", "LatchContender");
        assertThat(listed)
                .as("the table of plugin-api/docs/faults.md#places; give each new place a verdict, and count it")
                .isEqualTo(found);
    }

    @Test
    void eachKindIsFound() {
        assertThat(counts("try { } catch (Throwable e) { } // catch (Throwable e)\n"
                        + "lock.await(1); future.get(1, TimeUnit.SECONDS); future.whenComplete(x); new Thread(work);"))
                .containsExactly(1, 2, 1, 1);
    }
}
