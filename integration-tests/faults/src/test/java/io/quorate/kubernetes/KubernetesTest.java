package io.quorate.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorate.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipe of docs/kubernetes.md, acted out: each act is a process in namespaces of its own, see {@link Acts}. */
@Tag("kubernetes")
class KubernetesTest {

    private static final long SECONDS_MAX = 600;

    @TempDir
    private Path directory;

    @BeforeAll
    static void namespacesAreAllowed() {
        assumeTrue(Namespaces.areAllowed(), "needs root, or user namespaces: unshare -rn");
    }

    private void play(String act) throws Exception {
        Path output = directory.resolve("output");
        List<String> java = ChildJvm.Command.of(Acts.class, List.of(act, directory.toString()), ChildJvm.SMALL)
                .words();
        Process process = new ProcessBuilder(Namespaces.outer(java))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS))
                    .as(() -> "it ends in time: " + read(output))
                    .isTrue();
            assertThat(process.exitValue()).as(() -> read(output)).isZero();
        } finally {
            // All that is inside ends with it.
            process.destroyForcibly().waitFor();
        }
        System.out.print(read(output));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError("no output", e);
        }
    }

    @Test
    void aColdStartTwoUpdatesAndAKill() throws Exception {
        play("update");
    }

    @Test
    void inJoinOrderAnUpdateHasThreeChangesOfLeader() throws Exception {
        play("join-order");
    }

    @Test
    void withoutMinReadySecondsAnUpdateTakesTwoVotersOut() throws Exception {
        play("no-min-ready");
    }

    @Test
    void withOrderedReadyTheFirstPodStaysUnready() throws Exception {
        play("ordered-ready");
    }

    @Test
    void withNamesOfReadyPodsOnlyNobodyBecomesReady() throws Exception {
        play("ready-names-only");
    }
}
