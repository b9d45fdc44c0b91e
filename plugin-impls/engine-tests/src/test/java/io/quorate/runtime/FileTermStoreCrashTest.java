package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.quorate.runtime.TermStore.Stored;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.FaultyFiles;
import io.quorate.testkit.simulation.FaultyFiles.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills the machine at each step of storing, and then lets the disk lose whatever it may lose: content that was not
 * forced is cut at any length or zeroed, a renaming that was not forced is undone. The next life must read the old or
 * the new value, never less than the last success, and never fail.
 */
class FileTermStoreCrashTest {

    private static final NodeId NODE = new NodeId("node-1");
    private static final Stored OLD = new Stored(100);
    private static final Stored NEW = new Stored(200);

    @TempDir
    private Path directory;

    private FileTermStore store(TermFiles files) {
        return new FileTermStore(directory, NODE, "cluster", files);
    }

    private Path path(String name) {
        return directory.resolve(name);
    }

    private Stored reopened() throws IOException {
        try (FileTermStore next = store(new TermFiles())) {
            Stored read = next.open();
            assertThat(path(FileTermStore.TEMPORARY)).doesNotExist();
            return read;
        }
    }

    /** Stores OLD with success, then NEW with {@code disk}'s fault; leaves the directory as the fault left it. */
    private FaultyFiles storeWith(Step crashAfter, Step failAt) throws IOException {
        FaultyFiles disk = new FaultyFiles();
        try (FileTermStore store = store(disk)) {
            store.open();
            store.store(OLD);
            assertThat(disk.renamingForced && disk.targetForced)
                    .as("success means forced")
                    .isTrue();
            disk.crashAfter = crashAfter;
            disk.failAt = failAt;
            if (crashAfter != null) {
                assertThatExceptionOfType(FaultyFiles.Crash.class).isThrownBy(() -> store.store(NEW));
            } else if (failAt != null) {
                assertThatIOException()
                        .isThrownBy(() -> store.store(NEW))
                        .withMessageContaining("No space left on device")
                        .withMessageContaining(FileTermStore.FILE);
            } else {
                store.store(NEW);
            }
        }
        return disk;
    }

    @ParameterizedTest
    @EnumSource
    void aKilledProcessLosesNothing(Step step) throws IOException {
        storeWith(step, null);
        assertThat(reopened()).isIn(OLD, NEW);
    }

    @ParameterizedTest
    @EnumSource
    void aLossOfPowerLosesNothing(Step step) throws IOException {
        FaultyFiles disk = storeWith(step, null);
        assertThat(disk.targetForced)
                .as("after %s: what has the file's name is on the disk", step)
                .isTrue();
        if (!disk.renamingForced) {
            assertThat(reopened()).isEqualTo(NEW);
            Files.write(path(FileTermStore.FILE), disk.replaced);
        }
        assertThat(reopened()).isIn(OLD, NEW);
    }

    @Test
    void aStoreThatReturnedSurvivesALossOfPower() throws IOException {
        FaultyFiles disk = storeWith(null, null);
        assertThat(disk.targetForced).isTrue();
        assertThat(disk.renamingForced).isTrue();
        assertThat(reopened()).isEqualTo(NEW);
    }

    @Test
    void aTornTemporaryFileIsIgnoredAtAnyLength() throws IOException {
        storeWith(Step.WRITE, null);
        byte[] whole = Files.readAllBytes(path(FileTermStore.TEMPORARY));
        for (int length = 0; length <= whole.length; length++) {
            byte[] zeroed = Arrays.copyOf(Arrays.copyOf(whole, length), whole.length);
            for (byte[] torn : new byte[][] {Arrays.copyOf(whole, length), zeroed}) {
                Files.write(path(FileTermStore.TEMPORARY), torn);
                assertThat(reopened()).isEqualTo(OLD);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFailedStoreKeepsTheOldAndTheNextOneSucceeds(Step step) throws IOException {
        FaultyFiles disk = storeWith(null, step);
        assertThat(reopened()).isIn(OLD, NEW);
        disk.failAt = null;
        try (FileTermStore store = store(disk)) {
            store.open();
            store.store(NEW);
        }
        assertThat(reopened()).isEqualTo(NEW);
    }

    @Test
    void afterAFailureTheSameStoreCanBeUsedAgain() throws IOException {
        FaultyFiles disk = new FaultyFiles();
        try (FileTermStore store = store(disk)) {
            store.open();
            store.store(OLD);
            disk.failAt = Step.FORCE;
            assertThatIOException().isThrownBy(() -> store.store(NEW));
            disk.failAt = null;
            store.store(NEW);
        }
        assertThat(reopened()).isEqualTo(NEW);
    }

    private void replaceLockFile() {
        try {
            Files.move(path(FileTermStore.LOCK), path("aside"));
            Files.createFile(path(FileTermStore.LOCK));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // A second process may be under way: nothing of ours may be written from here on.
    @Test
    void aLockFileThatWasReplacedIsNoticedBeforeAnythingIsWritten() throws IOException {
        try (FileTermStore store = store(new TermFiles() {
            @Override
            public FileChannel create(Path temporary) throws IOException {
                assertThat(path("aside")).doesNotExist();
                return super.create(temporary);
            }
        })) {
            store.open();
            store.store(OLD);
            replaceLockFile();
            assertThatIOException().isThrownBy(() -> store.store(NEW)).withMessageContaining("deleted or replaced");
        }
        assertThat(reopened()).isEqualTo(OLD);
    }

    // The disk hangs in the middle of a write, and somebody thinks that the node is dead.
    @Test
    void aLockFileThatIsReplacedDuringAWriteIsNoticedBeforeTheRenaming() throws IOException {
        boolean[] isReplaced = {false};
        try (FileTermStore store = store(new TermFiles() {
            @Override
            public void force(FileChannel file) throws IOException {
                super.force(file);
                if (isReplaced[0]) {
                    replaceLockFile();
                }
            }
        })) {
            store.open();
            store.store(OLD);
            isReplaced[0] = true;
            assertThatIOException().isThrownBy(() -> store.store(NEW)).withMessageContaining("deleted or replaced");
        }
        assertThat(reopened()).isEqualTo(OLD);
    }
}
