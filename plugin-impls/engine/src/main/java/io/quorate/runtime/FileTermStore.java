package io.quorate.runtime;

import io.quorate.spi.Check;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a voter's numbers in one small checksummed file of a directory that belongs to this node alone. The file is
 * replaced as a whole: after a crash at any point {@link #open} reads what was stored last, or what was being stored.
 * Where the file system has POSIX permissions, the files, and the directory if it is made here, are this user's alone.
 *
 * <p>The directory needs a local file system that keeps locks and renames in one step. It is locked from {@link #open}
 * to {@link #close}, against other processes and other stores of this one. A lock file that is deleted meanwhile ends
 * the writing, and a term file that has gone is noticed by {@link #open}. Used by one thread at a time.
 */
public final class FileTermStore implements TermStore {

    /** The name of the term file in its directory. */
    public static final String FILE = "quorate.term";

    /** The name of what becomes the term file once it is whole. */
    public static final String TEMPORARY = "quorate.term.tmp";

    static final String LOCK = "quorate.lock";

    /**
     * Locked before {@link #LOCK}, so that a process never opens that file twice. With POSIX, a process that closes a
     * file gives up every lock that it has on that file, so the attempt to lock it a second time would free it. The JDK
     * knows which files are locked in this process, for all class loaders, and nobody can change that. That knowledge
     * stays when a second channel of the file is closed. Other processes may lock the file then, which does no harm: it
     * guards against this process alone.
     */
    static final String GUARD = "quorate.guard";

    private static final String CURE = ". Restore the file as it was when the node stopped; no older copy. Without it"
            + " this node has forgotten which terms it voted in, and terms could go down: either start it with a node"
            + " id that the cluster never had, and an empty directory; or stop all nodes of the cluster before this"
            + " one is started with an empty directory";

    private static final String REMINDER = "There is a term file beside this one. Both belong to a running node.\n";

    // Justification for a static that changes: a channel whose lock belongs to another store of this process must never
    // be closed, not even by a collector. There is one for each lock file at most, and only if the guard was deleted.
    private static final Map<Object, FileChannel> NEVER_CLOSED = new HashMap<>();

    /** The lock is, or may be, no longer this node's. */
    private static final class ForeignLockException extends IOException {
        private static final long serialVersionUID = 1L;

        private ForeignLockException(String message) {
            super(message);
        }
    }

    private final Path directory;
    private final Path file;
    private final Path temporary;
    private final Path lockPath;
    private final Path guardPath;
    private final NodeId self;
    private final String clusterId;
    private final TermFiles files;

    private @Nullable Held lock;
    private @Nullable Held guard;

    /**
     * A locked file.
     *
     * @param key tells it from another one under its name; null where the file system has nothing such
     */
    private record Held(Path path, FileChannel channel, FileLock lock, @Nullable Object key) {}

    private Stored stored = Stored.NOTHING;

    /**
     * Touches nothing before {@link #open}.
     *
     * @param directory of this node alone; made if it is missing and its parent is there
     * @param self      written into the file, and compared when it is read
     * @param clusterId likewise; at most 1024 bytes of UTF-8
     * @throws IllegalArgumentException if {@code clusterId} is longer
     */
    public FileTermStore(Path directory, NodeId self, String clusterId) {
        this(directory, self, clusterId, new TermFiles());
    }

    /** The same; {@code files} does what is done on the disk. */
    public FileTermStore(Path directory, NodeId self, String clusterId, TermFiles files) {
        int length = clusterId.getBytes(StandardCharsets.UTF_8).length;
        Check.argument(
                length <= TermFile.CLUSTER_ID_LENGTH_MAX,
                "cluster id of %d bytes: must be at most %d",
                length,
                TermFile.CLUSTER_ID_LENGTH_MAX);
        this.directory = directory.toAbsolutePath();
        this.file = this.directory.resolve(FILE);
        this.temporary = this.directory.resolve(TEMPORARY);
        this.lockPath = this.directory.resolve(LOCK);
        this.guardPath = this.directory.resolve(GUARD);
        this.self = Objects.requireNonNull(self, "self");
        this.clusterId = clusterId;
        this.files = files;
    }

    /**
     * The owner of a directory.
     *
     * @param self the node
     * @param clusterId its cluster
     */
    public record Owner(NodeId self, String clusterId) {}

    /**
     * Reads the owner of the directory, without the lock.
     *
     * @throws IOException if it is none of a node, or cannot be read; the message says why
     */
    public static Owner owner(Path directory) throws IOException {
        Path file = directory.toAbsolutePath().resolve(FILE);
        if (!isThere(file)) {
            throw new IOException(file + ": is missing. Name the data directory of a node that has voted");
        }
        // Not the rest: it may change while nobody has the lock.
        TermFile content = content(file);
        return new Owner(content.self(), content.clusterId());
    }

    @Override
    public boolean isDurable() {
        return true;
    }

    @Override
    public Stored open() throws IOException {
        Check.state(guard == null, "%s: is open already", file);
        boolean isOpen = false;
        try {
            makeDirectory();
            guard = lockGuard();
            Held locked = lock();
            lock = locked;
            stored = read(locked.channel);
            deleteTemporary();
            isOpen = true;
            return stored;
        } finally {
            if (!isOpen) {
                close();
            }
        }
    }

    @Override
    public void store(Stored next) throws IOException {
        Held locked = lock;
        if (locked == null) {
            throw new IllegalStateException(file + ": is not open");
        }
        MemoryTermStore.checkRises(stored, next);
        checkLocks();
        try {
            replace(new TermFile(self, clusterId, next).write());
        } catch (ForeignLockException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(
                    file + ": cannot be written (" + e + "); what was stored before is not lost."
                            + " Until it can, this node votes in no new terms: make room on the disk, or repair it",
                    e);
        }
        stored = next;
        remember(locked.channel);
    }

    @Override
    public void close() {
        close(lock);
        lock = null;
        // The guard is released last: from then on, another store of this process may open the lock file.
        close(guard);
        guard = null;
    }

    private static void close(@Nullable Held held) {
        if (held != null) {
            try {
                // The file stays: deleting it would let two processes hold a lock, each on its own file.
                held.channel.close();
            } catch (IOException e) {
                // Justification: the descriptor is given up in any case, and the lock goes with it.
            }
        }
    }

    private void makeDirectory() throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        if (Files.exists(directory)) {
            throw new IOException(directory + ": is not a directory. Name a directory for the term file");
        }
        try {
            TermFiles.makeDirectory(directory);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    directory + ": its parent directory is missing. Make " + directory.getParent()
                            + ", or mount what belongs there: a new directory in a wrong place would have forgotten the terms",
                    e);
        } catch (IOException e) {
            throw new IOException(directory + ": cannot be made (" + e + "). Let this user write to its parent", e);
        }
    }

    private Held lockGuard() throws IOException {
        FileChannel channel = openForLock(guardPath);
        FileLock taken = null;
        try {
            taken = tryLock(channel, guardPath);
        } catch (OverlappingFileLockException e) {
            // Another store of this process has it.
        } finally {
            if (taken == null) {
                channel.close();
            }
        }
        return held(guardPath, channel, taken);
    }

    private Held lock() throws IOException {
        synchronized (NEVER_CLOSED) {
            isThere(lockPath);
            Object key = Files.exists(lockPath) ? attributes(lockPath).fileKey() : null;
            FileChannel kept = key == null ? null : NEVER_CLOSED.get(key);
            FileChannel channel = kept == null ? openForLock(lockPath) : kept;
            FileLock taken = null;
            boolean isOfThisProcess = false;
            try {
                taken = tryLock(channel, lockPath);
            } catch (OverlappingFileLockException e) {
                isOfThisProcess = true;
            } finally {
                if (isOfThisProcess && key != null) {
                    NEVER_CLOSED.put(key, channel);
                } else if (taken == null) {
                    channel.close();
                }
                if (!isOfThisProcess && key != null) {
                    // It is this store's now, or closed.
                    NEVER_CLOSED.remove(key);
                }
            }
            return held(lockPath, channel, taken);
        }
    }

    private Held held(Path path, FileChannel channel, @Nullable FileLock taken) throws IOException {
        if (taken == null) {
            throw new IOException(
                    lockPath + ": is locked by another process, or by another client in this one, which may"
                            + " be closed and wait for its disk. A directory serves one running node at a time: stop the other, or"
                            + " give this node its own directory");
        }
        return new Held(path, channel, taken, attributes(path).fileKey());
    }

    private static FileChannel openForLock(Path path) throws IOException {
        isThere(path);
        try {
            return TermFiles.openPrivate(path);
        } catch (IOException e) {
            throw new IOException(
                    path + ": cannot be opened for writing (" + e + "). Let this user write to the"
                            + " directory and its files",
                    e);
        }
    }

    /**
     * Answers null if another process has the lock.
     *
     * @throws OverlappingFileLockException if this process has it
     */
    private static @Nullable FileLock tryLock(FileChannel channel, Path path) throws IOException {
        try {
            return channel.tryLock();
        } catch (IOException e) {
            throw new IOException(
                    path + ": cannot be locked (" + e + "). The directory needs a local file system that"
                            + " keeps locks",
                    e);
        }
    }

    private void checkLocks() throws IOException {
        check(guard);
        check(lock);
    }

    private static void check(@Nullable Held held) throws IOException {
        if (held == null) {
            return;
        }
        String fault = held.lock.isValid() ? "was deleted or replaced" : "was closed, so that its lock was lost,";
        try {
            // By its key: opening the file under its name, and closing it, would give the lock up.
            if (held.lock.isValid() && Objects.equals(attributes(held.path).fileKey(), held.key)) {
                return;
            }
        } catch (NoSuchFileException e) {
            // As if it were another one.
        }
        throw new ForeignLockException(held.path + ": " + fault + " while this node runs, so another process"
                + " may use the directory. This node stores nothing more, and votes in no new terms: stop it, see that"
                + " no other process uses the directory, and start it again");
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** @throws IOException if it is there and is no file: to open a pipe would wait for its other end */
    private static boolean isThere(Path path) throws IOException {
        BasicFileAttributes found;
        try {
            found = attributes(path);
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new IOException(path + ": cannot be read (" + e + "). Let this user read it", e);
        }
        if (!found.isRegularFile()) {
            String kind = found.isSymbolicLink()
                    ? "a symbolic link"
                    : found.isDirectory() ? "a directory" : "a pipe or a device";
            throw new IOException(path + ": is " + kind + ", and must be a regular file that this node has written."
                    + " Put that file itself there");
        }
        return true;
    }

    /** Says in the lock file that there is a term file, so that its loss is noticed. */
    private static void remember(FileChannel locked) {
        try {
            if (locked.size() == 0) {
                locked.write(ByteBuffer.wrap(REMINDER.getBytes(StandardCharsets.UTF_8)), 0);
                locked.force(true);
            }
        } catch (IOException e) {
            // A failed write loses nothing that was stored, and is repeated later.
        }
    }

    private Stored read(FileChannel locked) throws IOException {
        if (!isThere(file)) {
            if (locked.size() > 0) {
                throw new IOException(file + ": is missing, and " + lockPath + " says that it was written" + CURE);
            }
            return Stored.NOTHING;
        }
        TermFile content = content(file);
        if (!content.self().equals(self) || !content.clusterId().equals(clusterId)) {
            throw new IOException(file + ": belongs to node " + content.self() + " of cluster '" + content.clusterId()
                    + "', and this is node " + self + " of cluster '" + clusterId + "'. Every node needs its own"
                    + " directory: name the one of this node, or correct the ids");
        }
        remember(locked);
        return content.stored();
    }

    private static TermFile content(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            // No file of ours is that long: the rest would only be needed to say how long a foreign one is.
            bytes = in.readNBytes(64 * 1024);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read (" + e + "). Let this user read it", e);
        }
        try {
            return TermFile.read(bytes);
        } catch (MalformedInputException e) {
            if (TermFile.isNewer(bytes)) {
                throw new IOException(
                        file + ": cannot be read by this version of Quorate: " + e.getMessage()
                                + ". Run the version that wrote it, or a later one",
                        e);
            }
            throw new IOException(file + ": is corrupt (" + bytes.length + " bytes; " + e.getMessage() + ")" + CURE, e);
        }
    }

    private void deleteTemporary() throws IOException {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            throw new IOException(temporary + ": is left over, and cannot be deleted (" + e + "). Delete it", e);
        }
    }

    private void replace(byte[] content) throws IOException {
        try (FileChannel channel = files.create(temporary)) {
            files.write(channel, ByteBuffer.wrap(content));
            files.force(channel);
        }
        // The lock is checked once more: a disk that hung for a minute gave somebody the time to start a second
        // process.
        checkLocks();
        files.rename(temporary, file);
        files.forceDirectory(directory);
    }
}
