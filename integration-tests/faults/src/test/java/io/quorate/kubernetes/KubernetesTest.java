package io.quorate.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorate.process.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipe of docs/kubernetes.md, acted out: each act is a process in namespaces of its own, see {@link Acts}. */
@Tag("kubernetes")
class KubernetesTest {

    @TempDir
    private Path directory;

    @BeforeAll
    static void namespacesAreAllowed() {
        assumeTrue(Namespaces.areAllowed(), "needs root, or user namespaces: unshare -rn");
    }

    private void play(String act) throws Exception {
        List<String> java = ChildJvm.Command.of(Acts.class, List.of(act, directory.toString()), ChildJvm.SMALL)
                .words();
        ChildJvm process = ChildJvm.start(act, Namespaces.outer(java), Map.of(), directory.resolve("output"));
        try {
            assertThat(process.awaitExit())
                    .as(() -> String.join("\n", process.output()))
                    .isZero();
        } finally {
            // All that is inside ends with it.
            process.end();
        }
        process.output().forEach(System.out::println);
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
