package io.quorate.runtime;

import static io.quorate.runtime.Handshake.hear;
import static io.quorate.runtime.Handshake.meet;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.runtime.DecodedFrame.Accepted;
import io.quorate.runtime.DecodedFrame.Dropped;
import io.quorate.runtime.DecodedFrame.Reason;
import io.quorate.runtime.Envelope.Kind;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/protocol.md#one-process-per-id: what a node tells a process whose frames are not those of the life it hears. */
class RefusalsTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final long HEARTBEAT = 150;
    private static final long SUPPORT = 1_000;
    private static final byte[] BODY = {1, 2, 3};

    private final Links first = links(A, 10);
    private final Links second = links(A, 11);
    private final Links b = links(B, 20);

    private static Links links(NodeId self, long life) {
        return new Links("cluster", self, life, HEARTBEAT, SUPPORT, List.of(A, B), Optional.empty());
    }

    @BeforeEach
    void firstIsHeard() {
        meet(first, A, b, B, -2 * SUPPORT);
        for (long now = -2 * SUPPORT; now <= 0; now += HEARTBEAT / 3) {
            firstIsHeard(now);
        }
    }

    /** The first one has a frame of b, and so shows that it lives. */
    private void firstIsHeard(long now) {
        hear(first, b.seal(A, BODY, BODY.length, now).orElseThrow(), now);
        hear(b, sealed(first, now), now);
    }

    private static byte[] sealed(Links from, long now) {
        return from.seal(B, BODY, BODY.length, now).orElseThrow();
    }

    /** Gives the frame to b, which may refuse it. */
    private Optional<byte[]> said(byte[] frame, long now) {
        return b.open(frame, now) instanceof Dropped dropped && dropped.unanswered() > 0
                ? b.refusal(dropped, now)
                : Optional.empty();
    }

    /** The second one shows b that it lives. */
    private void secondIsAsked(long now) {
        byte[] question = hear(b, sealed(second, now), now).answer().orElseThrow();
        hear(b, hear(second, question, now).answer().orElseThrow(), now);
    }

    /** The second one is heard, because the first one is silent. */
    private void secondTakesThePlace() {
        secondIsAsked(SUPPORT);
        assertThat(b.open(sealed(second, SUPPORT), SUPPORT)).isInstanceOf(Accepted.class);
    }

    private static void isStale(DecodedFrame opened) {
        assertThat(opened).isInstanceOf(Dropped.class);
        assertThat(((Dropped) opened).reason()).isEqualTo(Reason.STALE_SEQUENCE);
    }

    @Test
    void secondProcessIsRefusedUntilTheFirstIsSilentForASupportTime() {
        byte[] refusal = said(sealed(second, 0), 0).orElseThrow();
        DecodedFrame opened = second.open(refusal, 0);
        assertThat(opened).isInstanceOf(Accepted.class);
        assertThat(((Accepted) opened).passed().envelope().kind()).isEqualTo(Kind.REFUSAL);
        assertThat(((Accepted) opened).from()).isEqualTo(B);
        assertThat(said(sealed(first, 1), 1)).as("the first one").isEmpty();
        assertThat(said(sealed(second, SUPPORT), SUPPORT)).isPresent();
        assertThat(said(sealed(second, SUPPORT + 1), SUPPORT + 1)).isEmpty();
    }

    @Test
    void secondProcessThatHasShownThatItLivesIsRefusedAsWell() {
        secondIsAsked(1);
        assertThat(said(sealed(first, 1), 1)).as("the first one").isEmpty();
        assertThat(said(sealed(second, 1), 1)).as("the second one").isPresent();
    }

    // Each could vote at nodes that hear it alone.
    @Test
    void processThatHasLostItsPlaceIsRefused() {
        secondTakesThePlace();
        assertThat(said(sealed(first, SUPPORT), SUPPORT)).isPresent();
        assertThat(said(sealed(first, 2 * SUPPORT - 1), 2 * SUPPORT - 1)).isPresent();
        assertThat(said(sealed(first, 2 * SUPPORT), 2 * SUPPORT)).isEmpty();
    }

    @Test
    void twoLiveWhenTheFirstIsHeardForASupportTimeAfterTheSecondIsRefused() {
        for (long now = 1; now <= 2 * SUPPORT; now += HEARTBEAT) {
            said(sealed(second, now), now);
            firstIsHeard(now);
            assertThat(b.areTwo(A)).as("at %d", now).isEqualTo(now > SUPPORT);
        }
        said(sealed(links(A, 12), 2 * SUPPORT), 2 * SUPPORT);
        assertThat(b.areTwo(A)).as("a third one was refused just now").isFalse();
    }

    // Frames that it has sent before may be read late.
    @Test
    void processThatIsKilledAndStartsAgainIsNoSecondOne() {
        List<byte[]> late = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            late.add(sealed(first, i * HEARTBEAT));
        }
        for (long now = 1; now < 3 * SUPPORT; now += HEARTBEAT) {
            said(sealed(second, now), now);
            if (!late.isEmpty()) {
                hear(b, late.remove(0), now);
            }
            assertThat(b.areTwo(A)).as("at %d", now).isFalse();
        }
    }

    @Test
    void nextLifeIsNotRefusedAfterAFarewell() {
        first.sayFarewell((to, frame) -> assertThat(b.open(frame, 1)).isInstanceOf(Accepted.class));
        assertThat(said(sealed(second, 1), 1)).isEmpty();
        meet(second, A, b, B, 2);
        assertThat(said(sealed(second, 2), 2)).isEmpty();
    }

    @Test
    void farewellsOfAnotherLifeFreeNothing() {
        secondIsAsked(1);
        second.sayFarewell((to, frame) -> assertThat(b.open(frame, 1)).isInstanceOf(Dropped.class));
        assertThat(said(sealed(links(A, 12), 1), 1)).isPresent();
    }

    @Test
    void farewellThatArrivesAfterTheNextLifeFreesNothing() {
        List<byte[]> late = new ArrayList<>();
        first.sayFarewell((to, frame) -> late.add(frame));
        secondTakesThePlace();
        assertThat(b.open(late.get(0), SUPPORT)).isInstanceOf(Dropped.class);
        assertThat(said(sealed(links(A, 12), SUPPORT), SUPPORT)).isPresent();
    }

    @Test
    void framesWithoutABodyAreNotRefused() {
        byte[] empty = new Envelope(A, B, 11, 0, 1, 0, 3, 3, Kind.MESSAGES).write("cluster", new byte[0], 0, null);
        assertThat(said(empty, 0)).isEmpty();
    }

    @Test
    void copiesOfRefusalsAreNoNews() {
        byte[] one = said(sealed(second, 0), 0).orElseThrow();
        byte[] two = said(sealed(second, 1), 1).orElseThrow();
        assertThat(second.open(two, 2)).isInstanceOf(Accepted.class);
        isStale(second.open(two, 2));
        isStale(second.open(one, 2));
    }

    // Under a secret, an attacker on the way can hold them back, and would end a healthy voter at any time.
    @Test
    void refusalsThatWereHeldBackForLongAreNoNews() {
        List<byte[]> held = new ArrayList<>();
        for (long now = 0; now < SUPPORT; now += HEARTBEAT) {
            said(sealed(second, now), now).ifPresent(held::add);
        }
        assertThat(held).hasSize(7);
        long later = 100 * SUPPORT;
        meet(second, A, b, B, later);
        for (byte[] each : held) {
            isStale(second.open(each, later));
        }
    }

    // It silences, and does not end a node, because an attacker may have held it back.
    @Test
    void refusalThatArrivesOneAndAHalfSupportTimesLateIsNotRecent() {
        byte[] soon = said(sealed(second, 0), 0).orElseThrow();
        byte[] late = said(sealed(second, 0), 0).orElseThrow();
        assertThat(second.isRecent((Accepted) second.open(soon, SUPPORT / 2))).isTrue();
        assertThat(second.isRecent((Accepted) second.open(late, 3 * SUPPORT / 2)))
                .isFalse();
    }

    // Both leave together, and take different ways over the event bus.
    @Test
    void refusalThatArrivesAfterTheQuestionAboutTheSameFrameIsNews() {
        Dropped dropped = (Dropped) b.open(sealed(second, 0), 0);
        byte[] refusal = b.refusal(dropped, 0).orElseThrow();
        assertThat(second.open(b.question(dropped), 1)).isInstanceOf(Accepted.class);
        DecodedFrame opened = second.open(refusal, 2);
        assertThat(opened).isInstanceOf(Accepted.class);
        assertThat(second.isRecent((Accepted) opened)).isTrue();
    }

    @Test
    void frameThatAFarewellHasOvertakenIsNoSecondProcess() {
        assertThat(said(sealed(second, 0), 0)).isPresent();
        secondTakesThePlace();
        long later = 100 * SUPPORT;
        meet(second, A, b, B, later);
        byte[] overtaken = sealed(second, later);
        second.sayFarewell((to, frame) -> b.open(frame, later));
        meet(links(A, 12), A, b, B, later + 1);
        assertThat(said(overtaken, later + 2)).isPresent();
        assertThat(b.areTwo(A)).isFalse();
    }

    // Otherwise a second process that voters are far from would vote. From two and a half support times on it does.
    @ParameterizedTest
    @ValueSource(longs = {4 * HEARTBEAT, 8 * HEARTBEAT})
    void refusalsSilenceOverALinkWithALongRoundTrip(long oneWay) {
        Map<Long, byte[]> toB = new HashMap<>();
        Map<Long, byte[]> back = new HashMap<>();
        long silentUntil = 4 * SUPPORT;
        for (long now = 0; now < 20 * SUPPORT; now += HEARTBEAT) {
            long at = now;
            firstIsHeard(now);
            if (back.containsKey(now) && second.open(back.get(now), now) instanceof Accepted) {
                silentUntil = Math.max(silentUntil, now + 2 * SUPPORT);
            }
            Optional.ofNullable(toB.get(now))
                    .flatMap(frame -> said(frame, at))
                    .ifPresent(refusal -> back.put(at + oneWay, refusal));
            second.seal(B, BODY, BODY.length, now).ifPresent(frame -> toB.put(at + oneWay, frame));
            assertThat(silentUntil).as("at %d", now).isGreaterThan(now);
        }
    }

    // b sends nothing by itself. The second process has answered a question, and is ready to take the place.
    @Test
    void processThatSpeaksKeepsItsPlaceOnALinkOverWhichOnlyItSends() {
        for (long now = 220; now < 10 * SUPPORT; now += 220) {
            for (Links each : List.of(second, first)) {
                long at = now + (each == first ? 120 : 0);
                hear(b, sealed(each, at), at).answer().ifPresent(question -> {
                    byte[] answer = hear(each, question, at + 10).answer().orElseThrow();
                    assertThat(hear(b, answer, at + 20).isFirst())
                            .as("at %d", at)
                            .isFalse();
                });
            }
        }
    }

    /**
     * The first one is killed, and its next life starts. An attacker on the way holds back two frames of the first one,
     * which keep its place, and the last refusals.
     */
    @Test
    void recentRefusalsOfANextLifeSpanLessThanFourSupportTimes() {
        long longest = 0;
        for (long killed = 0; killed < 700; killed += 165) {
            for (long frame = 1_000; frame < 1_300; frame += 50) {
                for (long gap = 200; gap < SUPPORT; gap += 20) {
                    RefusalsTest run = new RefusalsTest();
                    run.firstIsHeard();
                    longest = Math.max(longest, run.recentlyRefusedFor(killed, frame, gap));
                }
            }
        }
        assertThat(longest).isBetween(5 * SUPPORT / 2, 4 * SUPPORT - 1);
    }

    /** From the first to the last recent refusal of a row without a gap. */
    private long recentlyRefusedFor(long killed, long frameHeld, long gap) {
        long pause = 165;
        for (long now = pause; now <= killed; now += pause) {
            firstIsHeard(now);
        }
        hear(first, b.seal(A, BODY, BODY.length, killed).orElseThrow(), killed);
        byte[] early = sealed(first, killed);
        byte[] late = sealed(first, killed);
        long holds = killed + frameHeld + SUPPORT - 3 * pause;
        long nextRead = killed;
        List<byte[]> unread = new ArrayList<>();
        long from = 0;
        long to = -SUPPORT;
        for (long now = killed + 5; now <= holds + 3 * gap; now += 5) {
            long at = now;
            if (now == killed + 450) {
                b.open(early, now);
            } else if (now == killed + frameHeld) {
                b.open(late, now);
            }
            if ((now - killed) % pause == 0) {
                b.seal(A, BODY, BODY.length, now);
                second.seal(B, BODY, BODY.length, now)
                        .flatMap(frame -> said(frame, at))
                        .ifPresent(unread::add);
            }
            if (!unread.isEmpty() && now >= nextRead) {
                if (second.open(unread.remove(0), now) instanceof Accepted accepted && second.isRecent(accepted)) {
                    from = now - to < SUPPORT ? from : now;
                    to = now;
                }
                nextRead = now < holds - pause ? now : now + gap;
            }
        }
        return to - from;
    }

    // An attacker on the way has kept them, and lets one through at a time.
    @Test
    void oldRefusalsThatAreHeldBackDoNotSilenceInTurns() {
        List<byte[]> held = new ArrayList<>();
        for (long now = 0; now < SUPPORT; now += 20) {
            long at = now;
            second.seal(B, BODY, BODY.length, now)
                    .flatMap(frame -> said(frame, at))
                    .ifPresent(held::add);
        }
        assertThat(held).hasSizeGreaterThan(10);
        long news = 0;
        for (long now = 3 * SUPPORT; !held.isEmpty(); now += 2 * SUPPORT) {
            second.seal(B, BODY, BODY.length, now);
            news += second.open(held.remove(0), now) instanceof Accepted ? 1 : 0;
        }
        assertThat(news).isEqualTo(1);
    }

    @Test
    void refusalsAreForTheLifeAndTheFramesThatWereRefused() {
        byte[] refusal = said(sealed(second, 0), 0).orElseThrow();
        assertThat(((Dropped) first.open(refusal, 0)).reason())
                .as("it does not count as a copy")
                .isEqualTo(Reason.OTHER_LIFE_OF_US);
        Links silent = links(A, 11);
        isStale(silent.open(refusal, 0));
    }

    // A stranger may have sent the frame, and would show with these that it is the node.
    @Test
    void refusalsTellTheSenderNeitherALifeNorASequence() {
        for (int i = 0; i < 5; i++) {
            byte[] refusal = said(sealed(second, i), i).orElseThrow();
            Envelope said = ((Accepted) second.open(refusal, i)).passed().envelope();
            assertThat(said).isEqualTo(new Envelope(B, A, 0, 11, 1, i + 1, 3, 3, Kind.REFUSAL));
        }
        assertThat(second.hears(B, 5, SUPPORT)).isFalse();
        assertThat(((Dropped) b.open(sealed(second, 5), 5)).reason()).isEqualTo(Reason.UNPROVED_LIFE);
    }
}
