package io.quorate.testkit.simulation;

import io.quorate.runtime.FileTermStore;
import io.quorate.runtime.TermStore;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.FaultyFiles.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The directory of one node over all its lives: the production store on real files, which lose what a disk may lose
 * when its machine does.
 */
public final class VirtualDisk implements AutoCloseable {

    private final Path directory;
    private final NodeId self;
    private final String clusterId;
    private FaultyFiles files = newFiles();
    private TermStore store;

    /** An empty directory below {@code parent}. */
    public VirtualDisk(Path parent, NodeId self, String clusterId) {
        this.directory = parent.resolve(self.value());
        this.self = self;
        this.clusterId = clusterId;
    }

    private static FaultyFiles newFiles() {
        FaultyFiles files = new FaultyFiles();
        files.forcesTheRealDisk = false;
        return files;
    }

    /** The store for the next life of the node. */
    public TermStore store() {
        store = new FileTermStore(directory, self, clusterId, files);
        return store;
    }

    /** Whether writes fail from now on. */
    public void isFull(boolean isFull) {
        files.failAt = isFull ? Step.WRITE : null;
    }

    /** The process is killed; what it has written stays. */
    public void kill() {
        if (store != null) {
            store.close();
        }
        store = null;
    }

    /**
     * The machine loses its power while {@code write}, if there is one, is under way.
     *
     * @param draw a random number
     */
    public void losePower(Runnable write, int draw) {
        files.crashAfter = Step.values()[draw % Step.values().length];
        try {
            write.run();
        } catch (FaultyFiles.Crash e) {
            // That is what was wanted.
        }
        kill();
        try {
            if (Files.isDirectory(directory)) {
                files.losePower(directory, draw / 7 % 101, draw / 711 % 2 == 0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files = newFiles();
    }

    /** Deletes the directory. */
    @Override
    public void close() {
        kill();
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> content = Files.list(directory)) {
            for (Path file : content.toList()) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
