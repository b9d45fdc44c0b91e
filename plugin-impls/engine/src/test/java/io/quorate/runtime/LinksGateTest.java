package io.quorate.runtime;

import static io.quorate.runtime.Handshake.meet;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.runtime.DecodedFrame.Accepted;
import io.quorate.spi.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gate: how much is sent to a peer that does not answer, and who owes whom a word. Virtual time. */
class LinksGateTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final long MILLI = 1_000_000L;
    private static final long HEARTBEAT = 150 * MILLI;
    private static final byte[] BODY = {1};

    /** So many frames leave at one moment, and no more. */
    private static final int AT_ONCE = Window.LENGTH + Window.PROBES_PER_HEARTBEAT;

    private final Links a = links(A, HEARTBEAT);
    private final Links b = links(B, HEARTBEAT);

    @BeforeEach
    void theyHaveMet() {
        meet(a, A, b, B, 0);
    }

    private static Links links(NodeId self, long heartbeat) {
        return new Links("cluster", self, 1, heartbeat, 1000 * MILLI, List.of(), Optional.empty());
    }

    private static Optional<byte[]> send(Links from, NodeId to, long now) {
        return from.seal(to, BODY, BODY.length, now);
    }

    private static void deliver(Optional<byte[]> frame, Links to, long now) {
        assertThat(to.open(frame.orElseThrow(), now)).isInstanceOf(Accepted.class);
    }

    private static void acknowledge(Links from, NodeId to, Links peer, long now) {
        deliver(from.seal(to, BODY, 0, now), peer, now);
    }

    /** How many of one frame per millisecond pass, from {@code from} to {@code until}. */
    private static int passing(Links links, NodeId to, long from, long until) {
        int passed = 0;
        for (long now = from; now < until; now += MILLI) {
            passed += send(links, to, now).isPresent() ? 1 : 0;
        }
        return passed;
    }

    @Test
    void atMostAWindowOfFramesIsUnacknowledged() {
        int passed = 0;
        for (int i = 0; i < 100; i++) {
            passed += send(a, B, 0).isPresent() ? 1 : 0;
        }
        assertThat(passed).isEqualTo(AT_ONCE);
        assertThat(a.refused()).isEqualTo(100 - AT_ONCE);
    }

    @Test
    void anAcknowledgementMovesTheWindow() {
        deliver(send(b, A, 0), a, 0);
        for (int i = 0; i < AT_ONCE; i++) {
            Optional<byte[]> frame = send(a, B, 0);
            if (i < 10) {
                deliver(frame, b, 0);
            }
        }
        assertThat(send(a, B, 0)).isEmpty();
        acknowledge(b, A, a, 0);
        assertThat(passing(a, B, 0, 20 * MILLI)).isEqualTo(10);
    }

    // Else a peer sends as fast as frames arrive, however long the work takes that they bring.
    @Test
    void postponedFrameIsAcknowledgedWhenHandled() {
        List<Accepted> waiting = new ArrayList<>();
        deliver(send(b, A, 0), a, 0);
        for (int i = 0; i < AT_ONCE; i++) {
            Accepted frame = (Accepted) b.open(send(a, B, 0).orElseThrow(), 0);
            assertThat(b.isToWait(frame)).isEqualTo(i > 0);
            b.postpone(frame);
            waiting.add(frame);
        }
        assertThat(b.owedAcks(2 * HEARTBEAT))
                .as("what waits is no acks before it is handled")
                .isEmpty();
        deliver(send(b, A, 0), a, 0);
        assertThat(passing(a, B, 0, 20 * MILLI)).isZero();
        for (int i = 0; i < AckState.AT_ONCE; i++) {
            b.onHandled(waiting.get(i), 0);
        }
        assertThat(b.owedAcks(0)).containsExactly(A);
        acknowledge(b, A, a, 0);
        assertThat(passing(a, B, 0, 20 * MILLI)).isEqualTo(AckState.AT_ONCE);
    }

    // The frames of a former life wait no longer for anything.
    @Test
    void aNewLifeWaitsForNothingOfTheFormer() {
        Accepted former = (Accepted) b.open(send(a, B, 0).orElseThrow(), 0);
        b.postpone(former);
        Links next = new Links("cluster", A, 2, HEARTBEAT, 1000 * MILLI, List.of(), Optional.empty());
        long now = 1000 * MILLI;
        meet(next, A, b, B, now);
        Accepted first = (Accepted) b.open(send(next, B, now).orElseThrow(), now);
        assertThat(b.isToWait(first)).isFalse();
        b.postpone(first);
        b.onHandled(former, now);
        assertThat(b.isToWait(first))
                .as("the first of the new life still waits")
                .isTrue();
    }

    // What is left of the window after an acknowledgement keeps its numbers and its times.
    @Test
    void eachAcknowledgementSettlesWhatItNamesAndNoMore() {
        deliver(send(b, A, 0), a, 0);
        for (int i = 1; i <= Window.LENGTH; i++) {
            Optional<byte[]> frame = send(a, B, 0);
            if (i == 10 || i == 11) {
                deliver(frame, b, 0);
                acknowledge(b, A, a, 0);
            }
        }
        assertThat(passing(a, B, 0, 20 * MILLI)).isEqualTo(11 + Window.PROBES_PER_HEARTBEAT);
    }

    @Test
    void lateFrameIsNotGivenUpWithAnEarlyOne() {
        deliver(send(b, A, 0), a, 0);
        deliver(send(a, B, 0), b, 0);
        for (int i = 2; i <= Window.LENGTH; i++) {
            send(a, B, HEARTBEAT);
        }
        acknowledge(b, A, a, HEARTBEAT);
        long early = 2 * HEARTBEAT + 1;
        deliver(send(b, A, early), a, early);
        assertThat(passing(a, B, early, early + 20 * MILLI))
                .as("one is acknowledged, none is lost")
                .isEqualTo(1 + Window.PROBES_PER_HEARTBEAT);
        long late = 3 * HEARTBEAT + 1;
        deliver(send(b, A, late), a, late);
        assertThat(passing(a, B, late, late + 40 * MILLI)).isGreaterThan(20);
    }

    @Test
    void anAnsweringPeerIsNeverHeldBack() {
        for (long now = 0; now < 10_000 * MILLI; now += MILLI) {
            deliver(send(a, B, now), b, now);
            for (NodeId peer : b.owedAcks(now)) {
                deliver(b.seal(peer, BODY, 0, now), a, now);
            }
        }
        assertThat(a.refused()).isZero();
    }

    @Test
    void aSilentPeerGetsAFewProbesPerHeartbeat() {
        send(a, B, 0);
        assertThat(a.isSilent(B, 2 * HEARTBEAT)).isFalse();
        assertThat(a.isSilent(B, 2 * HEARTBEAT + 1)).isTrue();
        assertThat(passing(a, B, 2 * HEARTBEAT + 1, 2 * HEARTBEAT + 1 + 10 * HEARTBEAT))
                .isEqualTo(10 * Window.PROBES_PER_HEARTBEAT);
    }

    // The heartbeat after an outage saves the lease: no thread's periods are equally long, and some are cut short.
    @ParameterizedTest
    @ValueSource(longs = {1 * MILLI, 25 * MILLI, 150 * MILLI, 1000 * MILLI})
    void aSilentPeerGetsEveryHeartbeatAlsoOneThatIsEarlyOrHurried(long heartbeat) {
        Links early = links(A, heartbeat);
        send(early, B, 0);
        long now = 3 * heartbeat;
        for (int i = 0; i < 100; i++) {
            assertThat(early.isSilent(B, now)).isTrue();
            assertThat(send(early, B, now)).as("at %d ns", now).isPresent();
            now += i % 3 == 0 ? heartbeat / 100 : heartbeat - heartbeat / 1000;
        }
    }

    @Test
    void aPeerThatNeverAnswersCostsAWindowAndThenProbes() {
        int probes = Window.PROBES_PER_HEARTBEAT * (int) (60_000 * MILLI / HEARTBEAT);
        assertThat(passing(a, B, 0, 60_000 * MILLI)).isBetween(Window.LENGTH, Window.LENGTH + probes);
    }

    @Test
    void aReceiptOpensTheGateAtOnce() {
        deliver(send(b, A, 0), a, 0);
        passing(a, B, 0, 60_000 * MILLI);
        long now = 60_001 * MILLI;
        assertThat(a.isSilent(B, now)).isTrue();
        assertThat(send(a, B, now)).isEmpty();
        deliver(send(b, A, now), a, now);
        assertThat(a.isSilent(B, now)).isFalse();
        assertThat(send(a, B, now)).isPresent();
    }

    @Test
    void aPeerThatTalksButReadsNothingIsSentAWindowPerTwoHeartbeats() {
        int passed = 0;
        for (long now = 0; now < 30_000 * MILLI; now += MILLI) {
            if (now % HEARTBEAT == 0) {
                deliver(send(b, A, now), a, now);
            }
            passed += send(a, B, now).isPresent() ? 1 : 0;
        }
        assertThat(passed).isBetween(100 * Window.LENGTH / 2, 100 * (Window.LENGTH + 2 * Window.PROBES_PER_HEARTBEAT));
    }

    @Test
    void aNewLifeOfThePeerStartsWithAnEmptyWindow() {
        deliver(send(b, A, 0), a, 0);
        for (int i = 0; i < AT_ONCE; i++) {
            assertThat(send(a, B, 0)).isPresent();
        }
        assertThat(send(a, B, 0)).isEmpty();
        b.sayFarewell((to, frame) -> deliver(Optional.of(frame), a, 0));
        assertThat(send(a, B, 0)).isEmpty();
        meet(new Links("cluster", B, 2, HEARTBEAT, 1000 * MILLI, List.of(), Optional.empty()), B, a, A, 0);
        assertThat(send(a, B, 0)).isPresent();
    }

    @Test
    void aPeerThatReadsAndHasMuchToAcknowledgeIsBehind() {
        for (int i = 1; i < Window.LENGTH / 2; i++) {
            deliver(send(a, B, 0), b, 0);
        }
        assertThat(a.isSomeoneBehind(0)).isFalse();
        deliver(send(a, B, 0), b, 0);
        assertThat(a.isSomeoneBehind(0)).isTrue();
        assertThat(a.isSomeoneBehind(2 * HEARTBEAT)).isTrue();
        assertThat(a.isSomeoneBehind(2 * HEARTBEAT + 1))
                .as("a silent peer does not read")
                .isFalse();
        acknowledge(b, A, a, 1);
        assertThat(a.isSomeoneBehind(1)).isFalse();
    }

    // A link that works in one direction only: what the peer sends says nothing about what it hears.
    @Test
    void onlyANewAcknowledgementIsAnAnswer() {
        deliver(send(b, A, 0), a, 0);
        send(a, B, 0);
        assertThat(a.noteSilence(B, 1 + HEARTBEAT, HEARTBEAT)).isTrue();
        long start = 2 * HEARTBEAT;
        deliver(send(b, A, start), a, start);
        assertThat(a.isAnswering(B)).isFalse();
        deliver(send(a, B, start), b, start);
        deliver(send(b, A, start), a, start);
        assertThat(a.isAnswering(B)).isTrue();
        send(a, B, start);
        assertThat(a.noteSilence(B, start + 3 * HEARTBEAT, 3 * HEARTBEAT)).isFalse();
        assertThat(a.noteSilence(B, start + 1 + 3 * HEARTBEAT, 3 * HEARTBEAT)).isTrue();
        assertThat(a.noteSilence(B, start + 2 + 3 * HEARTBEAT, 3 * HEARTBEAT))
                .as("once")
                .isFalse();
        deliver(send(b, A, start + 9 * HEARTBEAT), a, start + 9 * HEARTBEAT);
        assertThat(a.isAnswering(B)).as("it repeats an old acknowledgement").isFalse();
    }

    @Test
    void peersAreIndependent() {
        passing(a, B, 0, 1000 * MILLI);
        assertThat(send(a, new NodeId("c"), 1000 * MILLI)).isPresent();
        assertThat(a.isSilent(new NodeId("d"), 1000 * MILLI)).isFalse();
    }

    @Test
    void anAcknowledgementIsOwedAfterOneAndAQuarterHeartbeats() {
        deliver(send(a, B, 0), b, 7);
        assertThat(b.owedAcks(7 + HEARTBEAT * 5 / 4 - 1)).isEmpty();
        assertThat(b.owedAcks(7 + HEARTBEAT * 5 / 4)).containsExactly(A);
        acknowledge(b, A, a, 2 * HEARTBEAT);
        assertThat(b.owedAcks(9 * HEARTBEAT)).isEmpty();
    }

    @Test
    void anAcknowledgementIsOwedAtOnceAfterManyFrames() {
        for (int i = 1; i <= AckState.AT_ONCE; i++) {
            assertThat(b.owedAcks(0)).isEmpty();
            deliver(send(a, B, 0), b, 0);
        }
        assertThat(b.owedAcks(0)).isEqualTo(List.of(A));
    }

    @Test
    void aFrameWithABodyPaysWhatIsOwed() {
        deliver(send(a, B, 0), b, 0);
        deliver(send(b, A, 0), a, 0);
        assertThat(b.owedAcks(2 * HEARTBEAT)).isEmpty();
    }

    @Test
    void aPeerThatOnlyAcknowledgesIsNotSilent() {
        for (long now = 0; now < 10_000 * MILLI; now += MILLI) {
            if (now % HEARTBEAT == 0) {
                deliver(send(a, B, now), b, now);
            }
            for (NodeId peer : b.owedAcks(now)) {
                deliver(b.seal(peer, BODY, 0, now), a, now);
            }
            assertThat(a.isSilent(B, now)).isFalse();
        }
    }

    @Test
    void anEmptyBodyPassesOnlyIfItIsOwed() {
        assertThat(b.seal(A, BODY, 0, 0)).isEmpty();
        for (int i = 0; i < Window.LENGTH; i++) {
            send(b, A, 0);
        }
        deliver(send(a, B, 0), b, 0);
        acknowledge(b, A, a, 0);
        assertThat(b.seal(A, BODY, 0, 0)).isEmpty();
    }

    @Test
    void anEmptyBodyDoesNotMakeItsReceiverSilent() {
        deliver(send(a, B, 0), b, 0);
        acknowledge(b, A, a, 0);
        assertThat(b.isSilent(A, 1000 * HEARTBEAT)).isFalse();
    }

    // One body, then both sides only acknowledge what they owe: the exchange must end.
    @Test
    void acknowledgementsDoNotAnswerEachOther() {
        Queue<byte[]> toA = new ArrayDeque<>();
        Queue<byte[]> toB = new ArrayDeque<>(List.of(send(a, B, 0).orElseThrow()));
        int frames = 1;
        for (long now = 0; now < 1000 * HEARTBEAT; now += HEARTBEAT / 2) {
            frames += exchange(toA, a, B, toB, now) + exchange(toB, b, A, toA, now);
        }
        assertThat(frames).isEqualTo(2);
    }

    private static int exchange(Queue<byte[]> inbox, Links node, NodeId peer, Queue<byte[]> outbox, long now) {
        while (!inbox.isEmpty()) {
            node.open(inbox.remove(), now);
        }
        int sent = 0;
        for (NodeId due : node.owedAcks(now)) {
            assertThat(due).isEqualTo(peer);
            outbox.add(node.seal(due, BODY, 0, now).orElseThrow());
            sent++;
        }
        return sent;
    }
}
