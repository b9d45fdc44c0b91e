package io.quorate.leaderonly.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A method that ends its JVM does not return before the shutdown hooks, so these must not wait for it. */
class ExitInMethodTest {

    private static final int CODE = 3;

    /** The process. */
    static final class Main {

        private Main() {}

        public static void main(String[] arguments) {
            RunningWork work = new RunningWork();
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> System.out.println(
                            "finished: " + work.finish().toCompletableFuture().isDone())));
            assertThat(work.enter(isNested -> true)).isTrue();
            System.exit(CODE);
        }
    }

    @Test
    void methodsThatEndTheJvmAreNotWaitedFor() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), Main.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(CODE);
        assertThat(said).contains("finished: true");
    }
}
