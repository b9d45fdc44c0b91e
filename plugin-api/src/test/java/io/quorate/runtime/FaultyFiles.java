package io.quorate.runtime;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Real files, and beside them what a disk would still know after a loss of power. */
final class FaultyFiles extends TermFiles {

    enum Step { CREATE, WRITE_HALF, WRITE, FORCE, RENAME, FORCE_DIRECTORY }

    /** The power fails. */
    static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Whether the real disk is forced too: slow, and of no use where nothing but this class loses power. */
    boolean forcesTheRealDisk = true;
    Step crashAfter;
    Step failAt;
    boolean contentForced = true;
    boolean renamingForced = true;
    boolean targetForced = true;
    byte[] replaced;

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
    FileChannel create(Path path) throws IOException {
        enter(Step.CREATE);
        FileChannel file = super.create(path);
        contentForced = false;
        reached(Step.CREATE);
        return file;
    }

    @Override
    void write(FileChannel file, ByteBuffer content) throws IOException {
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
    void force(FileChannel file) throws IOException {
        enter(Step.FORCE);
        if (forcesTheRealDisk) {
            super.force(file);
        }
        contentForced = true;
        reached(Step.FORCE);
    }

    @Override
    void rename(Path from, Path to) throws IOException {
        enter(Step.RENAME);
        replaced = Files.exists(to) ? Files.readAllBytes(to) : null;
        super.rename(from, to);
        targetForced = contentForced;
        renamingForced = false;
        reached(Step.RENAME);
    }

    @Override
    void forceDirectory(Path path) throws IOException {
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
    void losePower(Path directory, int kept, boolean isUndone) throws IOException {
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
