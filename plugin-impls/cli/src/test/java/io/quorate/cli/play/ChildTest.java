package io.quorate.cli.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process that is stopped and goes on. This one says its number, and then what it is told. */
@EnabledOnOs(OS.LINUX)
class ChildTest {

    private static final String GONE = "is gone";

    @TempDir
    private Path directory;

    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private Child child;
    private Path status;

    @BeforeEach
    void start() throws Exception {
        List<String> command = List.of("sh", "-c", "echo $$; exec cat");
        child = new Child("n1", command, directory.resolve("log"), new Child.Listener() {
            @Override
            public void onLine(Child from, String line) {
                said.add(line);
            }

            @Override
            public void onEnd(Child from) {
                said.add(GONE);
            }
        });
        status = Path.of("/proc", said.take(), "status");
    }

    @AfterEach
    void end() throws Exception {
        child.kill();
    }

    /** A process takes a signal a moment after it was sent. */
    private void awaitStopped() {
        await().atMost(Duration.ofMinutes(10))
                .until(() -> Files.readString(status).contains("State:\tT"));
    }

    @Test
    void itGoesOnWhenTheLastPauseIsOver() throws Exception {
        child.pause();
        child.pause();
        assertThat(child.isLastPause()).isFalse();
        child.resume();
        awaitStopped();
        assertThat(child.isLastPause()).isTrue();
        child.resume();
        child.send("again");
        assertThat(said.take()).isEqualTo("again");
        // What is over already does not count.
        child.resume();
        child.pause();
        awaitStopped();
    }

    // It was left stopped: nothing that ends could end, and its files were in use.
    @Test
    void aStoppedProcessIsKilled() throws Exception {
        child.pause();
        child.pause();
        child.kill();
        assertThat(said.take()).isEqualTo(GONE);
        assertThat(child.isAlive()).isFalse();
    }

    // Its listener knows, and can show its last lines.
    @Test
    void nobodyFailsToTellOneThatHasEnded() throws Exception {
        long pid = Long.parseLong(status.getName(1).toString());
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        assertThat(said.take()).isEqualTo(GONE);
        child.send("still there?");
        child.send("still there?");
        // A process closes its output a moment before it ends, and its input may be open still.
        await().atMost(Duration.ofMinutes(10)).until(() -> !child.isAlive());
    }

    @Test
    void allPausesEndAtOnceForOneThatHasToClose() throws Exception {
        child.pause();
        child.pause();
        child.resumeAtOnce();
        child.send("close");
        assertThat(said.take()).isEqualTo("close");
    }
}
