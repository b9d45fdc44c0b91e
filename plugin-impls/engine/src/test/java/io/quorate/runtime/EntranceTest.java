package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.runtime.Checked.Passed;
import io.quorate.runtime.DecodedFrame.Dropped;
import io.quorate.runtime.DecodedFrame.Reason;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What may wait for the node's thread, whichever thread of the transport asks; {@link LinksTest} has all reasons. */
class EntranceTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final byte[] BODY = {1, 2, 3};
    private static final Optional<ClusterSecret> OURS = secret("the secret of this cluster");
    private static final Optional<ClusterSecret> THEIRS = secret("the secret of somebody else");

    private final Entrance entrance = new Entrance("cluster", B, WireVersions.OURS, OURS);

    private static Optional<ClusterSecret> secret(String text) {
        return Optional.of(ClusterSecret.of(text.getBytes(StandardCharsets.UTF_8), Optional.empty()));
    }

    private static Envelope envelope(NodeId to) {
        return new Envelope(
                A, to, 1, 0, 1, 0, WireVersions.OURS.oldest(), WireVersions.OURS.newest(), Envelope.Kind.MESSAGES);
    }

    private static byte[] frame(String cluster, NodeId to, Optional<ClusterSecret> secret) {
        return envelope(to).write(cluster, BODY, BODY.length, FrameMac.of(secret, cluster));
    }

    private static Reason reason(Checked checked) {
        return ((Dropped) checked).reason();
    }

    @Test
    void acceptedFrameIsReadUpToItsBody() {
        byte[] frame = frame("cluster", B, OURS);
        Passed passed = (Passed) entrance.check(Optional.of(A), frame);
        assertThat(passed.envelope()).isEqualTo(envelope(B));
        assertThat(passed.frame()).isSameAs(frame);
        assertThat(Arrays.copyOfRange(frame, passed.bodyOffset(), passed.bodyOffset() + passed.bodyLength()))
                .isEqualTo(BODY);
        assertThat(entrance.dropped()).isEmpty();
    }

    // Whether a frame is old is not asked here: the same frame passes as often as it comes.
    @Test
    void entranceDoesNotRejectCopies() {
        byte[] frame = frame("cluster", B, OURS);
        assertThat(entrance.check(Optional.empty(), frame)).isInstanceOf(Passed.class);
        assertThat(entrance.check(Optional.empty(), frame)).isInstanceOf(Passed.class);
    }

    @Test
    void droppedFramesAreCountedByReason() {
        assertThat(reason(entrance.check(Optional.empty(), frame("cluster", B, THEIRS))))
                .isEqualTo(Reason.OTHER_SECRET);
        assertThat(reason(entrance.check(Optional.empty(), frame("cluster", B, Optional.empty()))))
                .isEqualTo(Reason.WITHOUT_MAC);
        assertThat(reason(entrance.check(Optional.of(B), frame("cluster", B, OURS))))
                .isEqualTo(Reason.FORGED);
        assertThat(reason(entrance.check(Optional.empty(), frame("cluster", A, OURS))))
                .isEqualTo(Reason.NOT_FOR_US);
        entrance.check(Optional.empty(), new byte[0]);
        entrance.check(Optional.empty(), new byte[0]);
        assertThat(entrance.dropped())
                .isEqualTo(Map.of(
                        Reason.OTHER_SECRET, 1L,
                        Reason.WITHOUT_MAC, 1L,
                        Reason.FORGED, 1L,
                        Reason.NOT_FOR_US, 1L,
                        Reason.MALFORMED, 2L));
    }

    // Ids of clusters that begin alike, in both directions.
    @Test
    void aClusterIsKnownByItsWholeName() {
        Entrance plain = new Entrance("cluster", B, WireVersions.OURS, Optional.empty());
        for (String other : List.of("", "c", "clusteR", "cluster1", "x".repeat(64))) {
            Dropped dropped = (Dropped) plain.check(Optional.empty(), frame(other, B, Optional.empty()));
            assertThat(dropped.reason()).isEqualTo(Reason.OTHER_CLUSTER);
            assertThat(dropped.theirs()).isEqualTo(other);
        }
        assertThat(plain.check(Optional.empty(), frame("cluster", B, Optional.empty())))
                .isInstanceOf(Passed.class);
    }

    // A MAC that two threads computed with one instance would be wrong.
    @Test
    void manyThreadsCheckAtOneTime() throws Exception {
        int threads = 40;
        int frames = 2_000;
        byte[] good = frame("cluster", B, OURS);
        byte[] forged = frame("cluster", B, THEIRS);
        ExecutorService transport = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Boolean>> answers = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                answers.add(transport.submit(() -> {
                    boolean isRight = true;
                    for (int i = 0; i < frames; i++) {
                        isRight &= entrance.check(Optional.empty(), good) instanceof Passed;
                        isRight &= reason(entrance.check(Optional.empty(), forged)) == Reason.OTHER_SECRET;
                    }
                    return isRight;
                }));
            }
            for (Future<Boolean> answer : answers) {
                assertThat(answer.get()).isTrue();
            }
        } finally {
            transport.shutdownNow();
        }
        assertThat(entrance.dropped()).isEqualTo(Map.of(Reason.OTHER_SECRET, (long) threads * frames));
    }

    // ---------------------------------------------------------------- what is still to be told

    private final PendingDrops pendingDrops = new PendingDrops();

    private static Dropped dropped(Reason reason, String from, String theirs) {
        return new Dropped(reason, Optional.of(new NodeId(from)), 1, 0, theirs);
    }

    @Test
    void ofEachReasonAndCulpritTheNewestIsToldOnce() {
        Dropped first = dropped(Reason.OTHER_CLUSTER, "a", "one");
        Dropped second = dropped(Reason.OTHER_CLUSTER, "a", "two");
        Dropped third = dropped(Reason.NOT_FOR_US, "a", "c");
        Dropped forged = dropped(Reason.FORGED, "invented-1", "b");
        Dropped forgedAgain = dropped(Reason.FORGED, "invented-2", "b");
        assertThat(pendingDrops.add(first)).isTrue();
        for (Dropped more : List.of(third, second, forged, forgedAgain)) {
            assertThat(pendingDrops.add(more)).isFalse();
        }
        assertThat(pendingDrops.take()).containsExactly(second, third, forgedAgain);
        assertThat(pendingDrops.take()).isEmpty();
        assertThat(pendingDrops.add(first)).isTrue();
    }

    @Test
    void inventedNamesTakeBoundedRoom() {
        for (int i = 0; i < 10 * PendingDrops.MAX; i++) {
            assertThat(pendingDrops.add(dropped(Reason.OTHER_CLUSTER, "s" + i, "x")))
                    .isEqualTo(i == 0);
        }
        Dropped newest = dropped(Reason.OTHER_CLUSTER, "s0", "y");
        pendingDrops.add(newest);
        assertThat(pendingDrops.take()).hasSize(PendingDrops.MAX).startsWith(newest);
    }
}
