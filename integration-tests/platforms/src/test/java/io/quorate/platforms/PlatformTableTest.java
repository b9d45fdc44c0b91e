package io.quorate.platforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.platforms.Platform.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the table says without a JDK, and which folder is a JDK. */
class PlatformTableTest {

    private static final Set<Integer> BOTH = Set.of(17, 25);

    @TempDir
    private Path directory;

    private static String row(Set<Integer> overTcp, Set<Integer> overTheBus) {
        return PlatformTable.row(Platform.SPRING_BOOT_3_5, Map.of(Transport.TCP, overTcp, Transport.VERTX, overTheBus));
    }

    @Test
    void rowOmitsMissingVersions() {
        assertThat(PlatformTable.without(row(BOTH, Set.of()), Set.of(25))).isEqualTo(row(Set.of(17), Set.of()));
        assertThat(PlatformTable.without(row(BOTH, BOTH), Set.of(17))).isEqualTo(row(Set.of(25), Set.of(25)));
        assertThat(PlatformTable.without(row(BOTH, BOTH), BOTH)).isEqualTo(row(Set.of(), Set.of()));
        assertThat(PlatformTable.without(row(BOTH, BOTH), Set.of())).isEqualTo(row(BOTH, BOTH));
    }

    @Test
    void aJdkIsKnownByItsFileOfTheRelease() throws IOException {
        assertThatThrownBy(() -> Jdk.at(directory))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(directory + " is not the folder of a JDK");
        Path release = Files.writeString(directory.resolve("release"), "IMPLEMENTOR=\"X\"\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Jdk.at(directory))
                .withMessageContaining("its file release has no JAVA_VERSION");
        Files.writeString(release, "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"25.0.3\"\n");
        assertThat(Jdk.at(directory)).isEqualTo(new Jdk(25, directory));
    }
}
