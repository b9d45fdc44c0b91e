package io.quorate.runtime;

import static io.quorate.runtime.Handshake.hear;
import static io.quorate.runtime.Handshake.meet;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.runtime.DecodedFrame.Accepted;
import io.quorate.runtime.DecodedFrame.Dropped;
import io.quorate.runtime.Handshake.Heard;
import io.quorate.spi.NodeId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** docs/protocol.md#lives: the courses in which somebody stays unheard, or something is heard twice or too late. */
class LivesFaultsTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final long HEARTBEAT = 150_000_000L;
    private static final long SUPPORT = 1_000_000_000L;
    private static final byte[] BODY = {1, 2, 3};

    private static Links links(NodeId self, long life) {
        return new Links("cluster", self, life, HEARTBEAT, SUPPORT, List.of(), Optional.empty());
    }

    private static byte[] sealed(Links from, NodeId to, long now) {
        return from.seal(to, BODY, BODY.length, now).orElseThrow();
    }

    /** It says something; what follows from that arrives at once, at both alone. */
    private static DecodedFrame says(Links from, NodeId to, Links at, long now) {
        Heard heard = hear(at, sealed(from, to, now), now);
        DecodedFrame opened = heard.opened();
        Links next = from;
        Optional<byte[]> answer = heard.answer();
        while (answer.isPresent()) {
            answer = hear(next, answer.get(), now).answer();
            next = next == from ? at : from;
        }
        return opened;
    }

    // A node that is taken for its dead life speaks, and is heard when that has been silent.
    @Test
    void aDeadLifeThatIsTakenFirstIsReplacedASupportTimeLater() {
        Links b = links(B, 20);
        Links dead = links(A, 10);
        byte[] late = hear(dead, hear(b, sealed(dead, B, 0), 0).answer().orElseThrow(), 0)
                .answer()
                .orElseThrow();
        Links living = links(A, 11);
        byte[] proof = hear(living, hear(b, sealed(living, B, 0), 0).answer().orElseThrow(), 0)
                .answer()
                .orElseThrow();
        assertThat(hear(b, late, 1).isFirst()).isTrue();
        assertThat(hear(b, proof, 1).isAccepted()).isFalse();
        assertThat(says(living, B, b, SUPPORT)).isInstanceOf(Dropped.class);
        assertThat(says(living, B, b, SUPPORT + 1)).isInstanceOf(Accepted.class);
        assertThat(b.seal(A, BODY, BODY.length, SUPPORT + 1).map(frame -> living.open(frame, SUPPORT + 1)))
                .as("what is sent from now on is for the living one")
                .containsInstanceOf(Accepted.class);
    }

    // What was for any life is good for each later life of the receiver while the sender has said little since.
    @Test
    void aFrameOfBeforeTheReceiverRestartedIsNotHeardAgain() {
        Links a = links(A, 10);
        Links former = links(B, 20);
        byte[] recorded = sealed(a, B, 0);
        Heard first = hear(former, recorded, 0);
        Heard taken =
                hear(former, hear(a, first.answer().orElseThrow(), 0).answer().orElseThrow(), 0);
        assertThat(taken.held()).as("the former life has handled it").isPresent();
        Links b = links(B, 21);
        meet(a, A, b, B, 1000 * SUPPORT);
        assertThat(b.open(sealed(a, B, 1000 * SUPPORT), 1000 * SUPPORT)).isInstanceOf(Accepted.class);
        assertThat(b.open(recorded, 2000 * SUPPORT)).isInstanceOf(Dropped.class);
    }

    // Which frames of a life were accepted is forgotten with its link, or when two others came after it; and all within
    // the window below the first one after that are good again.
    @Test
    void aCopyIsStaleThoughThePeerWasForgottenMeanwhile() {
        Links b = links(B, 20);
        Links a = links(A, 10);
        meet(a, A, b, B, 0);
        byte[] copied = sealed(a, B, 0);
        assertThat(b.open(copied, 0)).isInstanceOf(Accepted.class);
        long now = 20 * SUPPORT;
        for (int i = 0; i < Links.PEERS_MAX; i++) {
            NodeId pod = new NodeId("pod-" + i);
            meet(links(pod, 1), pod, b, B, i == 0 ? 0 : now);
        }
        says(a, B, b, now);
        assertThat(says(a, B, b, now)).as("it is back").isInstanceOf(Accepted.class);
        assertThat(b.open(copied, now)).isInstanceOf(Dropped.class);
    }

    @Test
    void aCopyIsStaleThoughTwoOthersHadThePlaceMeanwhile() {
        Links b = links(B, 20);
        Links a = links(A, 10);
        meet(a, A, b, B, 0);
        byte[] copied = sealed(a, B, 0);
        assertThat(b.open(copied, 0)).isInstanceOf(Accepted.class);
        meet(links(A, 11), A, b, B, SUPPORT);
        meet(links(A, 12), A, b, B, 2 * SUPPORT);
        long now = 3 * SUPPORT;
        says(a, B, b, now);
        assertThat(says(a, B, b, now)).as("it is back").isInstanceOf(Accepted.class);
        assertThat(b.open(copied, now)).isInstanceOf(Dropped.class);
    }

    // A former life waits for its place, and what was held of it is heard when it has that back, if it is recent.
    @Test
    void heldFrameIsHandledBeforeLaterOnesOrNever() {
        for (long later : new long[] {SUPPORT, 100 * SUPPORT}) {
            Links b = links(B, 20);
            Links former = links(A, 10);
            meet(former, A, b, B, 0);
            meet(links(A, 11), A, b, B, SUPPORT);
            says(former, B, b, 7 * SUPPORT / 4);
            Dropped waits = (Dropped) says(former, B, b, 7 * SUPPORT / 4);
            long now = SUPPORT + later;
            Heard back = hear(b, sealed(former, B, now), now);
            assertThat(back.isAccepted())
                    .as("it has recently shown that it lives")
                    .isEqualTo(later == SUPPORT);
            if (!back.isAccepted()) {
                byte[] question = back.answer().orElseThrow();
                back = hear(b, hear(former, question, now).answer().orElseThrow(), now);
            }
            assertThat(back.isFirst()).isTrue();
            Accepted held = (Accepted) back.held().orElseThrow();
            assertThat(held.passed().envelope().sequence() == waits.unanswered())
                    .as("%d later", later)
                    .isEqualTo(later == SUPPORT);
            assertThat(says(former, B, b, SUPPORT + later)).isInstanceOf(Accepted.class);
        }
    }

    // What is held of the living one goes for a late frame of the dead one.
    @Test
    void aLateFrameOfADeadLifeDoesNotTakeWhatIsHeldOfTheLivingOne() {
        Links b = links(B, 20);
        byte[] late = sealed(links(A, 10), B, 0);
        Links living = links(A, 11);
        Heard asked = hear(b, sealed(living, B, 0), 0);
        hear(b, late, 0);
        Heard taken =
                hear(b, hear(living, asked.answer().orElseThrow(), 0).answer().orElseThrow(), 0);
        assertThat(taken.isFirst()).isTrue();
        assertThat(taken.held()).isPresent();
    }

    // A frame that waits is not told to be read before it is handled; by the answer to a new life it is.
    @Test
    void theAnswerToANewLifeDoesNotAcknowledgeWhatWaits() {
        Links a = links(A, 10);
        Links b = links(B, 20);
        // b knows nobody; a knows b, and takes its place with a frame that has a body.
        hear(a, hear(b, sealed(a, B, 0), 0).answer().orElseThrow(), 0);
        Accepted frame = (Accepted) b.open(sealed(a, B, 1), 1);
        assertThat(frame.isNewIncarnation()).isTrue();
        b.postpone(frame);
        byte[] answer = b.answer(frame);
        Checked.Passed passed = (Checked.Passed) a.entrance().check(Optional.empty(), answer);
        assertThat(passed.envelope().acknowledged())
                .isLessThan(frame.passed().envelope().sequence());
    }
}
