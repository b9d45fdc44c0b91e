package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.Profile;
import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import io.quorate.testkit.RealTime;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code blockUntilConnected} waits for a state that time alone changes. A process that was paused counts as
 * disconnected until its next turn, and listeners do not hear of that turn.
 */
@RealTime
class WaitAcrossPausesTest {

    private static final int LIVES = Integer.getInteger("paused.lives", 5);
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    /** While it starts, while it connects for the first time, and later. */
    private static final int PAUSES = 8;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long BETWEEN_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(400);
    /** The number of further waits that must end after the last pause. */
    private static final int WAITS = 10;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"FAST", "DEFAULT"})
    void waitsEndInEachLife(Profile profile) throws Exception {
        System.out.printf("%s, %d lives, seed=%d%n", profile, LIVES, SEED);
        Random random = new Random(SEED);
        try (OneJvm others = new OneJvm("ballot", "n1", "n2", "n3")) {
            for (String id : List.of("n2", "n3")) {
                others.start(
                        id,
                        ElectionClient.builder()
                                .peers(others.addresses())
                                .profile(profile)
                                .transport("tcp"));
            }
            for (int life = 0; life < LIVES; life++) {
                live(others, profile, random, "life " + life + ", seed=" + SEED);
            }
        }
    }

    private void live(OneJvm others, Profile profile, Random random, String name) {
        AtomicLong waits = new AtomicLong();
        ChildJvm n1 = ChildJvm.start(
                "n1",
                ChildJvm.Command.of(
                        WaitingNode.class,
                        List.of("n1", Cluster.peers(others.addresses()), profile.name()),
                        ChildJvm.SMALL),
                folder.resolve("n1.log"),
                line -> waits.incrementAndGet());
        try {
            for (int pause = 0; pause < PAUSES; pause++) {
                LockSupport.parkNanos(random.nextLong(BETWEEN_NANOS_MAX));
                n1.pause();
                LockSupport.parkNanos(PAUSE_NANOS);
                n1.resume();
            }
            long before = waits.get();
            others.await(name + ": waits end after the pauses", () -> waits.get() >= before + WAITS);
            assertThat(n1.isAlive()).isTrue();
        } finally {
            n1.end();
        }
    }
}
