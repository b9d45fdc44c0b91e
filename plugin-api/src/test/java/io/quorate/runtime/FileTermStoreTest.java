package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorate.spi.NodeId;
import io.quorate.spi.TermStore;
import io.quorate.spi.TermStore.Stored;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the stores keep, and how they refuse what they must not read. */
class FileTermStoreTest {

    private static final NodeId NODE = new NodeId("node-1");
    private static final Stored SOME = new Stored(65_536, 1_700_000_000_000L);

    @TempDir
    private Path directory;

    private FileTermStore store() {
        return new FileTermStore(directory, NODE, "cluster");
    }

    private Path file() {
        return directory.resolve(FileTermStore.FILE);
    }

    private void keep(Stored stored) throws IOException {
        try (FileTermStore store = store()) {
            store.open();
            store.store(stored);
        }
    }

    private void assertRefused(TermStore store, String... fragments) {
        assertThatIOException().isThrownBy(store::open).satisfies(e -> assertThat(e.getMessage()).contains(fragments));
    }

    @Test
    void whatWasStoredIsReadByTheNextLife() throws IOException {
        try (FileTermStore store = store()) {
            assertThat(store.isDurable()).isTrue();
            assertThat(store.open()).isEqualTo(Stored.NOTHING);
            store.store(new Stored(1, 1));
            store.store(SOME);
            store.store(SOME);
        }
        try (FileTermStore store = store()) {
            assertThat(store.open()).isEqualTo(SOME);
            assertThat(Files.list(directory).map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder(FileTermStore.FILE, FileTermStore.LOCK);
        }
    }

    @Test
    void aLowerNumberIsRefusedAlsoAfterARestart() throws IOException {
        keep(SOME);
        try (FileTermStore store = store()) {
            store.open();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.store(new Stored(SOME.termCeiling() - 1, SOME.incarnation())));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.store(new Stored(SOME.termCeiling(), SOME.incarnation() - 1)));
        }
    }

    @Test
    void aClosedStoreStoresNothingAndASecondOpenIsABug() throws IOException {
        FileTermStore store = store();
        assertThatIllegalStateException().isThrownBy(() -> store.store(SOME));
        store.open();
        assertThatIllegalStateException().isThrownBy(store::open);
        store.close();
        store.close();
        assertThatIllegalStateException().isThrownBy(() -> store.store(SOME));
    }

    @Test
    void aMissingDirectoryIsMadeButNotItsParent() throws IOException {
        try (FileTermStore store = new FileTermStore(directory.resolve("new"), NODE, "cluster")) {
            store.open();
            store.store(SOME);
        }
        assertThat(directory.resolve("new").resolve(FileTermStore.FILE)).exists();
        Path orphan = directory.resolve("missing").resolve("new");
        assertRefused(new FileTermStore(orphan, NODE, "cluster"), orphan.toString(), "parent directory is missing");
        assertThat(directory.resolve("missing")).doesNotExist();
    }

    @Test
    void aFileInPlaceOfTheDirectoryIsRefused() throws IOException {
        Path plain = Files.createFile(directory.resolve("plain"));
        assertRefused(new FileTermStore(plain, NODE, "cluster"), plain.toString(), "not a directory");
        assertRefused(new FileTermStore(plain.resolve("new"), NODE, "cluster"), "cannot be made");
    }

    // The process file system takes no files, not even from root.
    @Test
    void aDirectoryThatCannotBeWrittenIsRefused() {
        Path readOnly = Path.of("/proc/self");
        assumeTrue(Files.isDirectory(readOnly));
        assertRefused(new FileTermStore(readOnly, NODE, "cluster"), FileTermStore.LOCK,
                "cannot be opened for writing");
    }

    @Test
    void everySingleChangedByteIsNoticed() throws IOException {
        keep(SOME);
        byte[] good = Files.readAllBytes(file());
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] = (byte) (bad[i] ^ 1 << i % 8);
            Files.write(file(), bad);
            assertRefused(store(), file().toString(), "is corrupt", "terms could go down", "stop all nodes");
            assertThat(Files.readAllBytes(file())).as("a corrupt file is left as it is").isEqualTo(bad);
        }
    }

    @Test
    void everyTruncationAndEveryByteTooManyIsNoticed() throws IOException {
        keep(SOME);
        byte[] good = Files.readAllBytes(file());
        for (int length = 0; length < good.length; length++) {
            Files.write(file(), Arrays.copyOf(good, length));
            assertRefused(store(), "is corrupt (" + length + " bytes");
        }
        Files.write(file(), Arrays.copyOf(good, good.length + 1));
        assertRefused(store(), "1 bytes behind the end");
        Files.write(file(), new byte[1 << 20]);
        assertRefused(store(), "does not begin like a term file");
        Files.write(file(), good);
        try (FileTermStore store = store()) {
            assertThat(store.open()).isEqualTo(SOME);
        }
    }

    @Test
    void anUnknownVersionIsNamed() throws IOException {
        keep(SOME);
        byte[] bytes = Files.readAllBytes(file());
        bytes[Long.BYTES] = 2;
        Files.write(file(), bytes);
        assertRefused(store(), "version 2", "reads version 1");
    }

    @Test
    void aFileOfAnotherNodeOrClusterIsRefused() throws IOException {
        keep(SOME);
        assertRefused(new FileTermStore(directory, new NodeId("node-2"), "cluster"), "node-1", "node-2");
        assertRefused(new FileTermStore(directory, NODE, "other"), "'cluster'", "'other'");
        try (FileTermStore store = store()) {
            assertThat(store.open()).as("a refusal keeps no lock and changes nothing").isEqualTo(SOME);
        }
    }

    @Test
    void aClusterIdThatCouldNotBeReadBackIsRefused() throws IOException {
        String longest = "é".repeat(TermFile.CLUSTER_ID_LENGTH_MAX / 2);
        for (Stored expected : List.of(Stored.NOTHING, SOME)) {
            try (FileTermStore store = new FileTermStore(directory, NODE, longest)) {
                assertThat(store.open()).isEqualTo(expected);
                store.store(SOME);
            }
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new FileTermStore(directory, NODE, longest + "x"));
    }

    @Test
    void aSecondStoreInThisProcessIsRefusedUntilTheFirstIsClosed() throws IOException {
        FileTermStore first = store();
        first.open();
        assertRefused(store(), directory.resolve(FileTermStore.LOCK).toString(), "is locked by another");
        first.close();
        try (FileTermStore second = store()) {
            second.open();
        }
    }

    @Test
    @Timeout(60)
    void aSecondProcessIsRefusedUntilTheFirstEnds() throws Exception {
        Process child = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), Holder.class.getName(), directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader out = new BufferedReader(
                new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).isEqualTo("locked");
            assertRefused(store(), "is locked by another");
        } finally {
            child.destroyForcibly();
            assertThat(child.waitFor(30, TimeUnit.SECONDS)).as("the child ends").isTrue();
        }
        try (FileTermStore store = store()) {
            assertThat(store.open()).as("what the killed process stored").isEqualTo(SOME);
        }
    }

    /** The child process: stores, says so, and holds the lock until it is killed or its parent is gone. */
    static final class Holder {

        private Holder() {
        }

        public static void main(String[] arguments) throws IOException {
            FileTermStore store = new FileTermStore(Path.of(arguments[0]), NODE, "cluster");
            store.open();
            store.store(SOME);
            System.out.println("locked");
            while (System.in.read() >= 0) {
                // Justification: the parent writes nothing, so this ends with the parent.
                continue;
            }
        }
    }

    @Test
    void theMemoryStoreKeepsNothingAndRefusesLowerNumbers() {
        for (int life = 0; life < 2; life++) {
            try (MemoryTermStore store = new MemoryTermStore()) {
                assertThat(store.isDurable()).isFalse();
                assertThat(store.open()).isEqualTo(Stored.NOTHING);
                store.store(SOME);
                for (Stored lower : List.of(new Stored(1, SOME.incarnation()), new Stored(SOME.termCeiling(), 1))) {
                    assertThatIllegalArgumentException().isThrownBy(() -> store.store(lower));
                }
            }
        }
    }
}
