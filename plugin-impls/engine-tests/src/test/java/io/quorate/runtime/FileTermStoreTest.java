package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorate.runtime.TermStore.Stored;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireWriter;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the stores keep, and how they refuse what they must not read. */
class FileTermStoreTest {

    private static final NodeId NODE = new NodeId("node-1");
    private static final Stored SOME = new Stored(65_536);

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
        assertThatIOException().isThrownBy(store::open).satisfies(e -> assertThat(e.getMessage())
                .contains(fragments));
    }

    @Test
    void nextLifeReadsStoredTerms() throws IOException {
        try (FileTermStore store = store()) {
            assertThat(store.isDurable()).isTrue();
            assertThat(store.open()).isEqualTo(Stored.NOTHING);
            store.store(new Stored(1));
            store.store(SOME);
            store.store(SOME);
        }
        try (FileTermStore store = store()) {
            assertThat(store.open()).isEqualTo(SOME);
            assertThat(Files.list(directory).map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder(FileTermStore.FILE, FileTermStore.LOCK, FileTermStore.GUARD);
        }
    }

    @Test
    void zeroIsANumberToo() throws IOException {
        keep(new Stored(0));
        try (FileTermStore store = store()) {
            assertThat(store.open()).isEqualTo(new Stored(0));
        }
    }

    @Test
    void storesOfSeveralNodesAreOpenAtOnce() throws IOException {
        try (FileTermStore store = store();
                FileTermStore other = new FileTermStore(directory.resolve("other"), new NodeId("node-2"), "cluster")) {
            store.open();
            other.open();
            store.store(SOME);
            other.store(new Stored(1));
        }
    }

    @Test
    void aLowerNumberIsRefusedAlsoAfterARestart() throws IOException {
        keep(SOME);
        try (FileTermStore store = store()) {
            store.open();
            assertThatIllegalArgumentException().isThrownBy(() -> store.store(new Stored(SOME.termCeiling() - 1)));
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
        assertRefused(
                new FileTermStore(readOnly, NODE, "cluster"), FileTermStore.GUARD, "cannot be opened for writing");
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
            assertThat(Files.readAllBytes(file()))
                    .as("a corrupt file is left as it is")
                    .isEqualTo(bad);
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
        bytes[Long.BYTES] = 4;
        Files.write(file(), bytes);
        assertRefused(
                store(),
                ": cannot be read by this version of Quorate: it has version 4, and this library reads versions 1 to 3."
                        + " Run the version that wrote it, or a later one");
        bytes[Long.BYTES] = 0;
        Files.write(file(), bytes);
        assertRefused(store(), "is corrupt", "it has version 0, and this library reads versions 1 to 3");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aFileOfAnEarlierVersionIsReadWithoutTheNumberOfItsLife(int version) throws IOException {
        WireWriter out = new WireWriter();
        out.writeLong(0x51554f5241544531L);
        out.writeByte(version);
        out.writeString("node-1");
        out.writeString("cluster");
        out.writeLong(65_536);
        out.writeLong(1_700_000_000_000L);
        if (version == 2) {
            out.writeLong(77);
            out.writeBytes(new byte[] {1, 2, 3});
        }
        CRC32C checksum = new CRC32C();
        checksum.update(out.toBytes());
        out.writeLong(checksum.getValue());
        Files.write(file(), out.toBytes());
        try (FileTermStore store = store()) {
            assertThat(store.open())
                    .isEqualTo(
                            version == 1
                                    ? new Stored(65_536)
                                    : new Stored(65_536, 77, ByteBuffer.wrap(new byte[] {1, 2, 3})));
        }
    }

    @Test
    void aFileOfAnotherNodeOrClusterIsRefused() throws IOException {
        keep(SOME);
        assertRefused(new FileTermStore(directory, new NodeId("node-2"), "cluster"), "node-1", "node-2");
        assertRefused(new FileTermStore(directory, NODE, "other"), "'cluster'", "'other'");
        try (FileTermStore store = store()) {
            assertThat(store.open())
                    .as("a refusal keeps no lock and changes nothing")
                    .isEqualTo(SOME);
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
    void aSecondProcessIsRefusedUntilTheFirstEnds() throws Exception {
        try (Child child = new Child(directory)) {
            assertThat(child.answer()).isEqualTo("locked");
            assertRefused(store(), "is locked by another");
        }
        try (FileTermStore store = store()) {
            assertThat(store.open()).as("what the killed process stored").isEqualTo(SOME);
        }
    }

    // POSIX: whoever closes a descriptor of a locked file gives up all locks that its process holds on that file.
    @Test
    void aRefusedSecondOpenInThisProcessDoesNotFreeTheLockOfTheFirst() throws Exception {
        try (FileTermStore first = store()) {
            first.open();
            assertRefused(store(), "is locked by another");
            Path link =
                    Files.createSymbolicLink(directory.resolveSibling(directory.getFileName() + "-link"), directory);
            assertRefused(new FileTermStore(link, NODE, "cluster"), "is locked by another");
            Files.delete(link);
            try (Child child = new Child(directory)) {
                assertThat(child.answer()).contains("is locked by another");
            }
        }
    }

    // An application server redeploys: the new application has classes of its own, and the old one still runs.
    @Test
    void aSecondOpenByOtherClassesOfThisProcessDoesNotFreeTheLockEither() throws Exception {
        List<URL> classPath = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            classPath.add(Path.of(entry).toUri().toURL());
        }
        try (FileTermStore first = store();
                URLClassLoader others =
                        new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            first.open();
            Class<?> nodeId = others.loadClass(NodeId.class.getName());
            Class<?> type = others.loadClass(FileTermStore.class.getName());
            Object second = type.getConstructor(Path.class, nodeId, String.class)
                    .newInstance(directory, nodeId.getConstructor(String.class).newInstance("node-1"), "cluster");
            assertThatThrownBy(() -> type.getMethod("open").invoke(second))
                    .cause()
                    .hasMessageContaining("is locked by another");
            try (Child child = new Child(directory)) {
                assertThat(child.answer()).contains("is locked by another");
            }
        }
    }

    // Whatever an application does with the properties of the system: a test may put back what it found before.
    @Test
    void replacedSystemPropertiesNeitherFreeTheLockNorKeepIt() throws Exception {
        Properties original = System.getProperties();
        Properties whileOpen;
        try {
            try (FileTermStore first = store()) {
                first.open();
                whileOpen = (Properties) original.clone();
                Properties others = (Properties) original.clone();
                others.keySet().removeIf(key -> key.toString().startsWith("io.quorate"));
                System.setProperties(others);
                assertRefused(store(), "is locked by another");
                try (Child child = new Child(directory)) {
                    assertThat(child.answer()).contains("is locked by another");
                }
            }
            System.setProperties(whileOpen);
            try (FileTermStore second = store()) {
                second.open();
            }
        } finally {
            System.setProperties(original);
        }
    }

    // With POSIX such an attempt frees the lock of the first store, so it must not get as far as that.
    @Test
    void aDeletedGuardFreesNoLockAndEndsTheWriting() throws Exception {
        try (FileTermStore first = store()) {
            first.open();
            first.store(SOME);
            Files.delete(directory.resolve(FileTermStore.GUARD));
            for (int attempt = 0; attempt < 3; attempt++) {
                assertRefused(store(), "is locked by another");
            }
            try (Child child = new Child(directory)) {
                assertThat(child.answer()).contains("is locked by another");
            }
            assertThatIOException()
                    .isThrownBy(() -> first.store(new Stored(SOME.termCeiling() + 1)))
                    .withMessageContainingAll(FileTermStore.GUARD, "deleted or replaced");
        }
        try (FileTermStore second = store()) {
            assertThat(second.open()).isEqualTo(SOME);
        }
    }

    // An interrupt closes the channel that it meets, and the lock goes with it.
    @Test
    void aLockThatIsLostToAnInterruptEndsTheWriting() throws Exception {
        TermFiles interrupting = new TermFiles() {
            @Override
            public void forceDirectory(Path path) throws IOException {
                super.forceDirectory(path);
                Thread.currentThread().interrupt();
            }
        };
        try (FileTermStore store = new FileTermStore(directory, NODE, "cluster", interrupting)) {
            store.open();
            store.store(SOME);
            assertThat(Thread.interrupted()).isTrue();
            assertThatIOException()
                    .isThrownBy(() -> store.store(new Stored(SOME.termCeiling() + 1)))
                    .withMessageContainingAll(FileTermStore.LOCK, "lock was lost", "another process");
        }
        try (FileTermStore store = store()) {
            assertThat(store.open()).isEqualTo(SOME);
        }
    }

    /** A process that opens the store, and holds it until it is killed. */
    private static final class Child implements AutoCloseable {
        private final Process process;
        private final BufferedReader out;

        private Child(Path directory) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Holder.class.getName(),
                            directory.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        /** What it says: "locked", or why it is refused. */
        private String answer() throws IOException {
            return out.readLine();
        }

        @Override
        public void close() throws IOException {
            process.destroyForcibly();
            assertThat(process.onExit()).as("the child ends").succeedsWithin(600, TimeUnit.SECONDS);
            out.close();
        }
    }

    /** The child process: stores, says so, and holds the lock until it is killed or its parent is gone. */
    static final class Holder {

        private Holder() {}

        public static void main(String[] arguments) throws IOException {
            FileTermStore store = new FileTermStore(Path.of(arguments[0]), NODE, "cluster");
            try {
                store.open();
            } catch (IOException e) {
                System.out.println(e.getMessage());
                return;
            }
            store.store(SOME);
            System.out.println("locked");
            while (System.in.read() >= 0) {
                // Justification: the parent writes nothing, so this ends with the parent.
                continue;
            }
        }
    }

    // ---------------------------------------------------------------- what is not ours

    private static boolean isPosix() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void nobodyElseMayReadOrWrite() throws IOException {
        assumeTrue(isPosix());
        Path made = directory.resolve("made");
        try (FileTermStore store = new FileTermStore(made, NODE, "cluster")) {
            store.open();
            store.store(SOME);
        }
        assertThat(permissions(made)).isEqualTo("rwx------");
        assertThat(permissions(made.resolve(FileTermStore.FILE))).isEqualTo("rw-------");
        assertThat(permissions(made.resolve(FileTermStore.LOCK))).isEqualTo("rw-------");
        assertThat(permissions(made.resolve(FileTermStore.GUARD))).isEqualTo("rw-------");
    }

    // A left-over of an older version is made private; a directory that the operator made keeps what he gave it.
    @Test
    void anOpenLockFileIsClosedToOthersAndTheDirectoryIsLeftAlone() throws IOException {
        assumeTrue(isPosix());
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-x---"));
        Path lock = Files.createFile(directory.resolve(FileTermStore.LOCK));
        Files.setPosixFilePermissions(lock, PosixFilePermissions.fromString("rw-r--r--"));
        keep(SOME);
        assertThat(permissions(lock)).isEqualTo("rw-------");
        assertThat(permissions(directory)).isEqualTo("rwxr-x---");
    }

    @Test
    void theTemporaryFileIsNotWrittenThroughALink() throws IOException {
        Path elsewhere = Files.writeString(directory.resolve("precious"), "precious");
        try (FileTermStore store = store()) {
            store.open();
            Files.createSymbolicLink(directory.resolve(FileTermStore.TEMPORARY), elsewhere);
            store.store(SOME);
        }
        assertThat(elsewhere).hasContent("precious");
        try (FileTermStore store = store()) {
            assertThat(store.open()).isEqualTo(SOME);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {FileTermStore.FILE, FileTermStore.LOCK, FileTermStore.GUARD})
    void whatIsNoRegularFileIsRefused(String name) throws Exception {
        keep(SOME);
        Path path = directory.resolve(name);
        Path aside = directory.resolve("aside");
        Files.move(path, aside);
        Files.createSymbolicLink(path, aside);
        assertRefused(store(), path.toString(), "is a symbolic link", "must be a regular file");
        Files.delete(path);
        Files.createDirectory(path);
        assertRefused(store(), path.toString(), "is a directory", "must be a regular file");
        Files.delete(path);
        assumeTrue(isPosix());
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
        assertRefused(store(), path.toString(), "is a pipe or a device", "must be a regular file");
        Files.delete(path);
        Files.move(aside, path);
        try (FileTermStore store = store()) {
            assertThat(store.open()).isEqualTo(SOME);
        }
    }

    // Who deletes it lets a second process in; of the two, the one that holds the file which is there may write.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLockFileThatIsDeletedOrReplacedEndsTheWriting(boolean isReplaced) throws IOException {
        Stored more = new Stored(SOME.termCeiling() + 1);
        try (FileTermStore store = store()) {
            store.open();
            store.store(SOME);
            byte[] content = Files.readAllBytes(file());
            // Kept under another name, so that the file system gives the new one another number.
            Files.move(directory.resolve(FileTermStore.LOCK), directory.resolve("aside"));
            if (isReplaced) {
                Files.createFile(directory.resolve(FileTermStore.LOCK));
            }
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatIOException().isThrownBy(() -> store.store(more)).satisfies(e -> assertThat(e.getMessage())
                        .contains(
                                directory.resolve(FileTermStore.LOCK).toString(),
                                "deleted or replaced",
                                "another process"));
            }
            assertThat(file()).hasBinaryContent(content);
        }
    }

    @Test
    void aLostTermFileIsNoticedByTheLockFile() throws IOException {
        keep(SOME);
        byte[] content = Files.readAllBytes(file());
        Files.delete(file());
        assertRefused(store(), file().toString(), "is missing", "terms could go down", "stop all nodes");
        Files.write(file(), content);
        try (FileTermStore store = store()) {
            assertThat(store.open()).isEqualTo(SOME);
        }
    }

    // The lock file of an older version says nothing; the first start of this one sees to that.
    @Test
    void aTermFileThatIsFoundIsRememberedToo() throws IOException {
        keep(SOME);
        Files.write(directory.resolve(FileTermStore.LOCK), new byte[0]);
        try (FileTermStore store = store()) {
            store.open();
        }
        Files.delete(file());
        assertRefused(store(), "is missing");
    }

    @Test
    void anEmptyDirectoryIsANewOne() throws IOException {
        try (FileTermStore store = store()) {
            store.open();
        }
        try (FileTermStore store = store()) {
            assertThat(store.open()).as("nothing was ever stored").isEqualTo(Stored.NOTHING);
        }
    }

    @Test
    void theMemoryStoreKeepsNothingAndRefusesLowerNumbers() {
        for (int life = 0; life < 2; life++) {
            try (MemoryTermStore store = new MemoryTermStore()) {
                assertThat(store.isDurable()).isFalse();
                assertThat(store.open()).isEqualTo(Stored.NOTHING);
                store.store(SOME);
                assertThatIllegalArgumentException().isThrownBy(() -> store.store(new Stored(1)));
            }
        }
    }
}
