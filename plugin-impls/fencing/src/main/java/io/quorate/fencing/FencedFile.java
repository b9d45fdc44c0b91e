package io.quorate.fencing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * A guarded file: it is replaced as a whole, and by no lower token than one that has replaced it. Others read it as any
 * file, and see all of the old content or all of the new one.
 *
 * <p>Beside a file {@code report} stand {@code report.fence} with the path and the highest token, {@code
 * report.fence.lock}, and for a moment {@code report.fence.tmp}. If {@code report.fence} is deleted, the token is
 * forgotten; if {@code report.fence.lock} is deleted while somebody writes, two may write at once. The new content has
 * owner and permissions of a new file. All writers must see the same file system, which keeps locks between them and
 * renames in one step: a local one does.
 *
 * <p>After a crash at any point the content is the old or the new one, and no lower token is accepted than before. The
 * lock is held while the content is written to the disk: a process that is stopped just then holds up the others until
 * it goes on or is killed.
 *
 * <p>Used by any number of threads and processes.
 */
public final class FencedFile {

    /** What a fence takes at most, and a little more: a longer file is none. */
    private static final int FENCE_BYTES_MAX = Fence.ENCODED_MAX + 32;

    private final Path file;
    private final Path directory;
    private final Path fenceFile;
    private final Path lockFile;
    private final Path temporary;
    private final Disk disk;

    /**
     * Touches nothing before {@link #replace}.
     *
     * @param file is replaced; it may be missing, and its directory is there
     * @throws IllegalArgumentException if it has no name: the root of a file system
     */
    public FencedFile(Path file) {
        this(file, new Disk());
    }

    FencedFile(Path file, Disk disk) {
        this.file = file.toAbsolutePath();
        Path parent = this.file.getParent();
        if (parent == null) {
            throw new IllegalArgumentException(file + ": must be a file in a directory");
        }
        this.directory = parent;
        String name = this.file.getFileName() + ".fence";
        this.fenceFile = parent.resolve(name);
        this.lockFile = parent.resolve(name + ".lock");
        this.temporary = parent.resolve(name + ".tmp");
        this.disk = disk;
    }

    /**
     * Replaces the file, and waits while another replaces it. When this returns, content and token survive a loss of
     * power.
     *
     * @param path    what is led: begins with a slash, at most 2048 bytes of UTF-8; the same for all writers of a file
     * @param token   of the leadership, taken before the work began; at least 1
     * @param content all of it
     * @throws StaleTokenException      if the token is lower than one that has been accepted
     * @throws IllegalArgumentException if path or token are not as said, or the file belongs to another path
     * @throws IOException              if the file system fails, the token cannot be read, or the file, {@code
     *                                  .fence} or {@code .fence.lock} is a symbolic link. The content is the old or
     *                                  the new one then
     */
    public void replace(String path, long token, byte[] content) throws IOException {
        Fence fence = new Fence(path, token);
        Objects.requireNonNull(content, "content");
        // A rename would replace the link, and readers of the file behind it would see the old content for ever.
        refuseLink(file);
        // Another user of the directory may have put it there, so that this process opens a file of that user's choice.
        refuseLink(fenceFile);
        refuseLink(lockFile);
        // A lock of a file is the process's, not the thread's, and lost when the process closes that file anywhere. So
        // only one thread opens it at a time. The JVM has one such text, so all objects for this file share the
        // monitor.
        String ofThisJvm = ("io.quorate.fencing " + directory.toRealPath().resolve(lockFile.getFileName())).intern();
        synchronized (ofThisJvm) {
            try (FileChannel lock = FileChannel.open(
                    lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                // Released when the channel is closed, or the process ends.
                lock.lock();
                if (isHigher(fence)) {
                    // First the token: after a crash in between the old content stands, and its writer is refused.
                    store((fence + "\n").getBytes(StandardCharsets.US_ASCII), fenceFile);
                }
                store(content, file);
            }
        }
    }

    private static void refuseLink(Path each) throws IOException {
        if (Files.isSymbolicLink(each)) {
            throw new IOException(each + ": must be the file itself, not a symbolic link");
        }
    }

    /**
     * Whether it is higher than the stored one, or the first.
     *
     * @throws StaleTokenException if it is lower
     */
    private boolean isHigher(Fence fence) throws IOException {
        String text;
        try (InputStream in = Files.newInputStream(fenceFile, LinkOption.NOFOLLOW_LINKS)) {
            text = new String(in.readNBytes(FENCE_BYTES_MAX), StandardCharsets.US_ASCII);
        } catch (NoSuchFileException e) {
            return true;
        }
        Fence stored;
        try {
            stored = Fence.parse(text.strip());
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    fenceFile + ": is no fence: " + e.getMessage() + ". Write path and token of the leader into it", e);
        }
        if (!stored.path().equals(fence.path())) {
            throw new IllegalArgumentException("path " + fence.path() + ": must be " + stored.path() + ", for which "
                    + fenceFile + " has the token");
        }
        fence.refuseBelow(stored.token());
        return fence.token() > stored.token();
    }

    private void store(byte[] content, Path to) throws IOException {
        disk.write(temporary, content);
        disk.rename(temporary, to);
        disk.forceDirectory(directory);
    }
}
