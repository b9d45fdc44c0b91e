package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.quorate.core.Node;
import io.quorate.spi.Clock;
import io.quorate.spi.NodeId;
import io.quorate.spi.TermStore.Stored;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The thread that writes a node's numbers, when its disk hangs. */
@Timeout(60)
class TermKeeperTest {

    private static final NodeId NODE = new NodeId("node-1");

    @TempDir
    private Path directory;

    /** Hangs before it makes the next file, when it is told to: behind that, old numbers would replace newer ones. */
    private static final class HangingFiles extends TermFiles {
        private final CountDownLatch hangs = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private volatile boolean shallHang;

        @Override
        public FileChannel create(Path path) throws IOException {
            if (shallHang) {
                hangs.countDown();
                await(goesOn);
            }
            return super.create(path);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private FileTermStore store(TermFiles files) {
        return new FileTermStore(directory, NODE, "cluster", files);
    }

    @Test
    void theDirectoryStaysLockedUntilTheLastWriteHasEnded() throws IOException {
        HangingFiles files = new HangingFiles();
        TermKeeper keeper = new TermKeeper(
                NODE, store(files), Clock.SYSTEM, Surroundings.REAL, turn -> true, event -> {}, 1_000_000);
        Node.Birth birth = keeper.open();
        files.shallHang = true;
        keeper.reserve(1_000);
        await(files.hangs);
        keeper.close();
        assertThatIOException().isThrownBy(store(new TermFiles())::open).withMessageContaining("is locked by another");
        files.goesOn.countDown();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        Stored found = null;
        while (found == null) {
            try (FileTermStore next = store(new TermFiles())) {
                found = next.open();
            } catch (IOException e) {
                assertThat(System.nanoTime() - deadline)
                        .as("still locked: %s", e)
                        .isNegative();
                LockSupport.parkNanos(1_000_000);
            }
        }
        assertThat(found).isEqualTo(new Stored(1_000, birth.incarnation()));
    }

    @Test
    void withoutAWriteTheDirectoryIsFreeWhenItIsClosed() throws IOException {
        TermKeeper keeper = new TermKeeper(
                NODE,
                store(new TermFiles()),
                Clock.SYSTEM,
                Surroundings.REAL,
                turn -> true,
                event -> {},
                TimeUnit.SECONDS.toNanos(30));
        keeper.open();
        keeper.reserve(1_000);
        keeper.close();
        try (FileTermStore next = store(new TermFiles())) {
            assertThat(next.open().termCeiling()).isEqualTo(1_000);
        }
    }
}
