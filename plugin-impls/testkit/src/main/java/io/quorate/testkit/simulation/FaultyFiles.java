package io.quorate.testkit.simulation;

import io.quorate.runtime.FileTermStore;
import io.quorate.runtime.TermFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Real files, and beside them what a disk would still know after a loss of power. */
public final class FaultyFiles extends TermFiles {

    public enum Step {
        CREATE,
        WRITE_HALF,
        WRITE,
        FORCE,
        RENAME,
        FORCE_DIRECTORY
    }

    /** The power fails. */
    public static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Whether the real disk is forced too: slow, and of no use where nothing but this class loses power. */
    public boolean forcesTheRealDisk = true;

    public Step crashAfter;
    public Step failAt;
    public boolean contentForced = true;
    public boolean renamingForced = true;
    public boolean targetForced = true;
    public byte[] replaced;

    private void reached(Step step) {
        if (step == crashAfter) {
            throw new Crash();
        }
    }

    private void enter(Step step) throws IOException {
        if (step == failAt) {
            throw new IOException("No space left on device");
        }
    }

    @Override
    public FileChannel create(Path path) throws IOException {
        enter(Step.CREATE);
        FileChannel file = super.create(path);
        contentForced = false;
        reached(Step.CREATE);
        return file;
    }

    @Override
    public void write(FileChannel file, ByteBuffer content) throws IOException {
        enter(Step.WRITE);
        ByteBuffer half = content.duplicate();
        half.limit(content.limit() / 2);
        content.position(half.limit());
        super.write(file, half);
        reached(Step.WRITE_HALF);
        enter(Step.WRITE_HALF);
        super.write(file, content);
        reached(Step.WRITE);
    }

    @Override
    public void force(FileChannel file) throws IOException {
        enter(Step.FORCE);
        if (forcesTheRealDisk) {
            super.force(file);
        }
        contentForced = true;
        reached(Step.FORCE);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        enter(Step.RENAME);
        replaced = Files.exists(to) ? Files.readAllBytes(to) : null;
        super.rename(from, to);
        targetForced = contentForced;
        renamingForced = false;
        reached(Step.RENAME);
    }

    @Override
    public void forceDirectory(Path path) throws IOException {
        enter(Step.FORCE_DIRECTORY);
        if (forcesTheRealDisk) {
            super.forceDirectory(path);
        }
        renamingForced = true;
        reached(Step.FORCE_DIRECTORY);
    }

    /**
     * The power is lost: content that was not forced is cut, a renaming that was not forced may be undone.
     *
     * @param kept     how much of what was not forced reaches the disk, in percent
     * @param isUndone whether the renaming is
     */
    public void losePower(Path directory, int kept, boolean isUndone) throws IOException {
        Path file = directory.resolve(FileTermStore.FILE);
        Path temporary = directory.resolve(FileTermStore.TEMPORARY);
        if (!renamingForced && isUndone) {
            restore(file);
        } else if (!targetForced) {
            tear(file, kept);
        }
        if (!contentForced && Files.exists(temporary)) {
            tear(temporary, kept);
        }
        contentForced = true;
        targetForced = true;
        renamingForced = true;
    }

    private void restore(Path file) throws IOException {
        if (replaced == null) {
            Files.deleteIfExists(file);
        } else {
            Files.write(file, replaced);
        }
    }

    private static void tear(Path file, int kept) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length * kept / 100));
    }
}
