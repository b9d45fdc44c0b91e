package io.quorate.runtime;

import io.quorate.spi.Check;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.TermStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * Keeps a voter's numbers in one small checksummed file of a directory that belongs to this node alone. The file is
 * replaced as a whole: after a crash at any point {@link #open} reads what was stored last, or what was being stored.
 *
 * <p>The directory needs a local file system that keeps locks and renames in one step. Used by one thread at a time.
 */
public final class FileTermStore implements TermStore {

    static final String FILE = "quorate.term";
    static final String TEMPORARY = "quorate.term.tmp";
    static final String LOCK = "quorate.lock";

    private static final String CURE = ". Restore the file as it was when the node stopped; no older copy. Without it"
            + " this node has forgotten which terms it voted in, and terms could go down: either start it with a node"
            + " id that the cluster never had, and an empty directory; or stop all nodes of the cluster before this"
            + " one is started with an empty directory";

    private final Path directory;
    private final Path file;
    private final Path temporary;
    private final NodeId self;
    private final String clusterId;
    private final TermFiles files;

    private FileChannel lockFile;
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

    FileTermStore(Path directory, NodeId self, String clusterId, TermFiles files) {
        int length = clusterId.getBytes(StandardCharsets.UTF_8).length;
        Check.argument(length <= TermFile.CLUSTER_ID_LENGTH_MAX, "cluster id of %d bytes: must be at most %d", length,
                TermFile.CLUSTER_ID_LENGTH_MAX);
        this.directory = directory.toAbsolutePath();
        this.file = this.directory.resolve(FILE);
        this.temporary = this.directory.resolve(TEMPORARY);
        this.self = Objects.requireNonNull(self, "self");
        this.clusterId = clusterId;
        this.files = files;
    }

    @Override
    public boolean isDurable() {
        return true;
    }

    @Override
    public Stored open() throws IOException {
        Check.state(lockFile == null, "%s: is open already", file);
        makeDirectory();
        lock();
        try {
            stored = read();
            Files.deleteIfExists(temporary);
            return stored;
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    @Override
    public void store(Stored next) throws IOException {
        Check.state(lockFile != null, "%s: is not open", file);
        MemoryTermStore.checkRises(stored, next);
        try {
            replace(new TermFile(self, clusterId, next).write());
        } catch (IOException e) {
            throw new IOException(file + ": cannot be written (" + e + "); what was stored before is not lost."
                    + " Until it can, this node votes in no new terms: make room on the disk, or mend it", e);
        }
        stored = next;
    }

    @Override
    public void close() {
        if (lockFile == null) {
            return;
        }
        try {
            // The lock file stays: deleting it would let two processes hold a lock, each on its own file.
            lockFile.close();
        } catch (IOException e) {
            // Justification: the descriptor is given up in any case, and the lock goes with it.
        }
        lockFile = null;
    }

    private void makeDirectory() throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        if (Files.exists(directory)) {
            throw new IOException(directory + ": is not a directory. Name a directory for the term file");
        }
        try {
            Files.createDirectory(directory);
        } catch (NoSuchFileException e) {
            throw new IOException(directory + ": its parent directory is missing. Make " + directory.getParent()
                    + ", or mount what belongs there: a new directory in a wrong place would have forgotten the terms",
                    e);
        } catch (IOException e) {
            throw new IOException(directory + ": cannot be made (" + e + "). Let this user write to its parent", e);
        }
    }

    private void lock() throws IOException {
        Path path = directory.resolve(LOCK);
        FileChannel channel;
        try {
            channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new IOException(path + ": cannot be opened for writing (" + e + "). Let this user write to the"
                    + " directory and its files", e);
        }
        boolean locked;
        try {
            locked = tryLock(channel);
        } catch (IOException e) {
            channel.close();
            throw new IOException(path + ": cannot be locked (" + e + "). The directory needs a local file system that"
                    + " keeps locks", e);
        }
        if (!locked) {
            channel.close();
            throw new IOException(path + ": is locked by another process, or by another client in this one. A directory"
                    + " serves one running node at a time: stop the other, or give this node a directory of its own");
        }
        lockFile = channel;
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // Held in this JVM.
            return false;
        }
    }

    private Stored read() throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            // No file of ours is that long: the rest would only be needed to say how long a foreign one is.
            bytes = in.readNBytes(64 * 1024);
        } catch (NoSuchFileException e) {
            return Stored.NOTHING;
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read (" + e + "). Let this user read it", e);
        }
        TermFile content;
        try {
            content = TermFile.read(bytes);
        } catch (MalformedInputException e) {
            throw new IOException(file + ": is corrupt (" + bytes.length + " bytes; " + e.getMessage() + ")" + CURE, e);
        }
        if (!content.self().equals(self) || !content.clusterId().equals(clusterId)) {
            throw new IOException(file + ": belongs to node " + content.self() + " of cluster '" + content.clusterId()
                    + "', and this is node " + self + " of cluster '" + clusterId + "'. Every node needs a directory of"
                    + " its own: name the one of this node, or correct the ids");
        }
        return content.stored();
    }

    private void replace(byte[] content) throws IOException {
        try (FileChannel channel = files.create(temporary)) {
            files.write(channel, ByteBuffer.wrap(content));
            files.force(channel);
        }
        files.rename(temporary, file);
        files.forceDirectory(directory);
    }
}
