package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The classes within are tests that fail; only the tests around them are run by the build. */
class RepeatedWhenStalledTest {

    private static final List<String> STORY = new ArrayList<>();
    private static int failures;
    private static boolean stalls;

    /** Fails so many times, with a stall or without one. */
    // Justification: the build does not run it; a test of this class does.
    @ExtendWith(RepeatedWhenStalled.class)
    static class Failing {

        private final List<String> own = new ArrayList<>();

        @BeforeEach
        void begin() {
            STORY.add("begin");
        }

        @AfterEach
        void end() {
            STORY.add("end");
        }

        void run(String what) {
            STORY.add(what);
            own.add(what);
            assertThat(own).as("each attempt has an instance of its own").hasSize(1);
            if (failures-- > 0) {
                if (stalls) {
                    StallWatch.note(StallWatch.STALL_NANOS);
                }
                throw new AssertionError("failure");
            }
        }
    }

    static class Plain extends Failing {
        @Test
        void test() {
            run("test");
        }
    }

    static class WithArguments extends Failing {
        @ParameterizedTest
        @ValueSource(strings = "argument")
        void test(String argument) {
            run(argument);
        }
    }

    static class Outer {
        @Nested
        class Inner extends Failing {
            @Test
            void test() {
                run("inner");
            }
        }
    }

    /** As the contract: its groups stand in a class that each side inherits. */
    static class Heir extends Outer {}

    static class OuterOfNoSecond {
        @Nested
        class Inner extends Failing {
            Inner() {
                assumeTrue(STORY.isEmpty(), "no second attempt here");
            }

            @Test
            void test() {
                run("inner");
            }
        }
    }

    static class WithDirectory extends Failing {
        @TempDir
        private Path directory;

        @Test
        void test(@TempDir Path other) {
            STORY.add("parameter " + other + ", a directory: " + Files.isDirectory(other));
            run("field " + directory + ", a directory: " + Files.isDirectory(directory));
        }
    }

    @Test
    void eachAttemptHasAnotherDirectory() {
        run(WithDirectory.class, 2, true)
                .assertStatistics(events -> events.started(1).succeeded(1));
        for (String kind : List.of("parameter", "field")) {
            assertThat(STORY)
                    .filteredOn(line -> line.startsWith(kind) && line.endsWith("true"))
                    .hasSize(3)
                    .doesNotHaveDuplicates();
        }
    }

    private static Events run(Class<?> type, int failing, boolean whileStalled) {
        STORY.clear();
        failures = failing;
        stalls = whileStalled;
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(type))
                .execute()
                .testEvents();
    }

    @ParameterizedTest
    @CsvSource({"Plain, test", "WithArguments, argument", "Outer, inner", "Heir, inner"})
    void whatFailsInAStallIsRepeatedWithAllThatSurroundsIt(String name, String told) {
        Class<?> type = List.of(Plain.class, WithArguments.class, Outer.class, Heir.class).stream()
                .filter(each -> each.getSimpleName().equals(name))
                .findFirst()
                .orElseThrow();
        run(type, 2, true).assertStatistics(events -> events.started(1).succeeded(1));
        assertThat(STORY).containsExactly("begin", told, "end", "begin", told, "end", "begin", told, "end");
    }

    @Test
    void failureOfANewInstanceIsTheTests() {
        run(OuterOfNoSecond.class, 1, true)
                .assertStatistics(events -> events.started(1).aborted(1));
    }

    @Test
    void successfulTestRunsOnce() {
        run(Plain.class, 0, true).assertStatistics(events -> events.started(1).succeeded(1));
        assertThat(STORY).containsExactly("begin", "test", "end");
    }

    // A stall that the machine makes by itself in these microseconds repeats it, and it fails all the same.
    @Test
    void aFaultWithoutAStallFailsAtOnce() {
        run(Plain.class, RepeatedWhenStalled.ATTEMPTS_MAX, false)
                .assertStatistics(events -> events.started(1).failed(1));
        assertThat(STORY).startsWith("begin", "test", "end");
    }

    @Test
    void aFaultThatStaysFailsWhateverTheMachineDoes() {
        run(Plain.class, RepeatedWhenStalled.ATTEMPTS_MAX, true)
                .assertStatistics(events -> events.started(1).failed(1));
        assertThat(STORY).filteredOn("test"::equals).hasSize(RepeatedWhenStalled.ATTEMPTS_MAX);
    }

    /** Fails unless somebody watches already. */
    // Justification: the build does not run it; a test of this class does.
    @ExtendWith(RepeatedWhenStalled.class)
    static class Watched {
        @Test
        void test() {
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .contains("stall-watch");
        }
    }

    /** Ends with how many tests have failed. */
    static final class FreshProcess {
        public static void main(String[] arguments) {
            System.exit((int) EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(Watched.class))
                    .execute()
                    .testEvents()
                    .failed()
                    .count());
        }
    }

    // Otherwise the first test that fails in a JVM is red, however busy the machine was.
    @Test
    void somebodyWatchesBeforeTheFirstFailureOfAProcess() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FreshProcess.class.getName())
                .inheritIO()
                .start();
        try {
            assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aThreadThatIsLateIsSeen() {
        long begin = System.nanoTime();
        StallWatch.note(StallWatch.STALL_NANOS - 1);
        StallWatch.note(7 * StallWatch.STALL_NANOS);
        assertThat(StallWatch.longestSince(begin)).isGreaterThanOrEqualTo(7 * StallWatch.STALL_NANOS);
        assertThat(StallWatch.longestSince(System.nanoTime() + 60_000_000_000L)).isZero();
    }
}
