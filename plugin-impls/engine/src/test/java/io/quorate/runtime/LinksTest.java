package io.quorate.runtime;

import static io.quorate.runtime.Handshake.meet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.runtime.DecodedFrame.Accepted;
import io.quorate.runtime.DecodedFrame.Dropped;
import io.quorate.runtime.DecodedFrame.Reason;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.WireReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The envelope: which frames reach the core, and for what reason the others do not. */
class LinksTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final NodeId VOTER = new NodeId("voter");
    private static final long HEARTBEAT = 150_000_000L;
    private static final long SUPPORT = 1_000_000_000L;
    private static final byte[] BODY = {1, 2, 3};

    private final Links a = links(A, 10);
    private final Links b = links(B, 20);

    private static Links links(NodeId self, long incarnation) {
        return new Links("cluster", self, incarnation, HEARTBEAT, SUPPORT, List.of(B, VOTER), Optional.empty());
    }

    private static byte[] sealed(Links from, NodeId to, long now) {
        return from.seal(to, BODY, BODY.length, now).orElseThrow();
    }

    /** One that only this test knows has met this node. */
    private void introduce(NodeId stranger, long now) {
        meet(links(stranger, 1), stranger, b, B, now);
    }

    private static Accepted accepted(DecodedFrame opened) {
        assertThat(opened).isInstanceOf(Accepted.class);
        return (Accepted) opened;
    }

    private static Dropped dropped(DecodedFrame opened, Reason reason) {
        assertThat(opened).isInstanceOf(Dropped.class);
        assertThat(((Dropped) opened).reason()).isEqualTo(reason);
        return (Dropped) opened;
    }

    @Test
    void sealedFrameOpensWithBodySenderAndIncarnation() {
        meet(a, A, b, B, 0);
        byte[] body = {9, 8, 7, 6};
        Accepted opened = accepted(b.open(a.seal(B, body, 3, 0).orElseThrow(), 0));
        assertThat(opened.from()).isEqualTo(A);
        assertThat(opened.incarnation()).isEqualTo(10);
        assertThat(opened.passed().bodyLength()).isEqualTo(3);
        assertThat(Arrays.copyOfRange(
                        opened.passed().frame(),
                        opened.passed().bodyOffset(),
                        opened.passed().frame().length))
                .containsExactly(9, 8, 7);
    }

    @Test
    void onlyTheFrameByWhichALifeTakesItsPlaceIsOfANewIncarnation() {
        long now = 0;
        for (long life : new long[] {10, 11, 9}) {
            Links present = links(A, life);
            byte[] challenge = b.question(dropped(b.open(sealed(present, B, now), now), Reason.UNPROVED_LIFE));
            assertThat(accepted(present.open(challenge, now)).isNewIncarnation())
                    .isTrue();
            assertThat(accepted(b.open(sealed(present, B, now), now)).isNewIncarnation())
                    .isTrue();
            assertThat(accepted(b.open(sealed(present, B, now), now)).isNewIncarnation())
                    .isFalse();
            assertThat(accepted(present.open(sealed(b, A, now), now)).isNewIncarnation())
                    .isFalse();
            now += SUPPORT;
        }
    }

    @Test
    void aFrameOfTheGreatestLengthFits() {
        byte[] body = new byte[Links.BODY_LENGTH_MAX];
        NodeId longest = new NodeId("x".repeat(NodeId.LENGTH_MAX));
        Links sender = links(longest, WireReader.NUMBER_MAX);
        meet(sender, longest, b, B, 0);
        byte[] frame = sender.seal(B, body, body.length, 0).orElseThrow();
        assertThat(frame.length).isLessThanOrEqualTo(Transport.FRAME_LENGTH_MAX);
        accepted(b.open(frame, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> a.seal(B, new byte[body.length + 1], body.length + 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> a.seal(B, BODY, BODY.length + 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> a.seal(A, BODY, BODY.length, 0));
    }

    @Test
    void settingsOutOfRangeAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Links("cluster", A, 0, HEARTBEAT, SUPPORT, List.of(), Optional.empty()))
                .withMessage("incarnation 0: must be at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Links("cluster", A, 1, 0, SUPPORT, List.of(), Optional.empty()))
                .withMessage("heartbeat 0 ns: must be at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Links("cluster", A, 1, HEARTBEAT, 0, List.of(), Optional.empty()))
                .withMessage("support 0 ns: must be at least 1");
        assertThat(new Links("cluster", A, 1, 1, 1, List.of(), Optional.empty()).incarnation())
                .isEqualTo(1);
    }

    @Test
    void theLongestFrameIsReadAndALongerOneIsNot() {
        int head = envelope(A, B, 10, 20, 1, 0).length - BODY.length;
        meet(a, A, b, B, 0);
        for (int longer = 0; longer <= 1; longer++) {
            byte[] body = new byte[Transport.FRAME_LENGTH_MAX - head + longer];
            byte[] frame = envelope(A, B, 10, 20, 50, 0, body, body.length);
            assertThat(frame).hasSize(Transport.FRAME_LENGTH_MAX + longer);
            assertThat(b.open(frame, 0) instanceof Accepted).isEqualTo(longer == 0);
        }
    }

    // Of the present life each frame is good for once, however late.
    @Test
    void aFrameOfThePresentLifeStaysStale() {
        meet(a, A, b, B, 0);
        byte[] frame = sealed(a, B, 0);
        accepted(b.open(frame, 0));
        dropped(b.open(frame, 1000 * SUPPORT), Reason.STALE_SEQUENCE);
    }

    // The clock of a process may begin anywhere, below zero too.
    @Test
    void onlyDifferencesOfTimesCount() {
        for (long start : new long[] {-3 * SUPPORT, Long.MAX_VALUE - SUPPORT, 1_000 * SUPPORT}) {
            Links reader = links(A, 10);
            meet(links(B, 20), B, reader, A, start);
            Links next = links(B, 21);
            Handshake.Heard asked = Handshake.hear(reader, sealed(next, A, start), start);
            accepted(next.open(asked.answer().orElseThrow(), start));
            Dropped waits = dropped(reader.open(sealed(next, A, start), start + SUPPORT - 1), Reason.UNPROVED_LIFE);
            assertThat(reader.refusal(waits, start + SUPPORT - 1))
                    .as("start %d", start)
                    .isPresent();
            for (int later = 0; later <= 2; later++) {
                long now = start + SUPPORT + later * SUPPORT / 2;
                reader.seal(B, BODY, BODY.length, now).ifPresent(word -> next.open(word, now));
                Accepted frame = accepted(reader.open(sealed(next, A, start), now));
                assertThat(frame.isNewIncarnation()).isEqualTo(later == 0);
                assertThat(reader.isMuted(frame)).isEqualTo(later < 2);
            }
        }
    }

    // An empty frame waits for no answer, else answers would answer each other.
    @Test
    void anEmptyFrameThatIsDroppedIsNotAnswered() {
        for (long meant : new long[] {19, 20, 0}) {
            Reason reason = meant == 19 ? Reason.OTHER_LIFE_OF_US : Reason.UNPROVED_LIFE;
            assertThat(dropped(b.open(envelope(A, B, 10 + meant, meant, 7, 0, BODY, 0), 0), reason)
                            .unanswered())
                    .isZero();
            assertThat(dropped(b.open(envelope(A, B, 10 + meant, meant, 8, 0), 0), reason)
                            .unanswered())
                    .isEqualTo(8);
        }
        assertThat(b.owedAcks(SUPPORT)).isEmpty();
    }

    // Each look goes through all peers, so strangers that keep coming get one per heartbeat.
    @Test
    void silentPeerIsProbedOncePerHeartbeat() {
        for (int i = 0; i < Links.PEERS_MAX; i++) {
            introduce(new NodeId("pod-" + i), i == 0 ? 0 : SUPPORT);
        }
        long look = 10 * SUPPORT - HEARTBEAT / 2;
        dropped(b.open(envelope(C, B, 1, 0, 1, 0), look), Reason.TOO_MANY_PEERS);
        dropped(b.open(envelope(C, B, 1, 0, 1, 0), look + HEARTBEAT - 1), Reason.TOO_MANY_PEERS);
        dropped(b.open(envelope(C, B, 1, 0, 1, 0), look + HEARTBEAT), Reason.UNPROVED_LIFE);
    }

    @Test
    void bytesThatAreNoEnvelopeAreMalformed() {
        byte[] good = sealed(a, B, 0);
        byte[] otherMagic = good.clone();
        otherMagic[0]++;
        dropped(b.open(otherMagic, 0), Reason.MALFORMED);
        dropped(b.open(new byte[0], 0), Reason.MALFORMED);
        dropped(b.open(new byte[Transport.FRAME_LENGTH_MAX + 1], 0), Reason.MALFORMED);
        int head = good.length - BODY.length;
        for (int length = 0; length < head; length++) {
            dropped(b.open(Arrays.copyOf(good, length), 0), Reason.MALFORMED);
        }
    }

    @Test
    void anEnvelopeThatNoNodeWritesIsMalformed() {
        dropped(b.open(envelope(A, B, 0, 0, 1, 0), 0), Reason.MALFORMED);
        dropped(b.open(envelope(A, B, -1, 0, 1, 0), 0), Reason.MALFORMED);
        dropped(b.open(envelope(A, B, 10, -1, 1, 0), 0), Reason.MALFORMED);
        dropped(b.open(envelope(A, B, 10, 0, 0, 0), 0), Reason.MALFORMED);
        dropped(b.open(envelope(A, B, 10, 0, 1, 1), 0), Reason.MALFORMED);
        dropped(b.open(envelope(A, B, 10, 0, 1, 0), 0), Reason.UNPROVED_LIFE);
    }

    @Test
    void anAcknowledgementOfWhatWasNeverSentIsMalformed() {
        sealed(b, A, 0);
        dropped(b.open(envelope(A, B, 10, 20, 1, 2), 0), Reason.MALFORMED);
        accepted(b.open(envelope(A, B, 10, 20, 1, 1), 0));
        dropped(b.open(envelope(A, B, 10, 20, 2, 2), 0), Reason.MALFORMED);
    }

    @Test
    void aLifeBeyondAllNumbersIsMalformed() {
        dropped(b.open(envelope(A, B, WireReader.NUMBER_MAX + 1, 0, 1, 0), 0), Reason.MALFORMED);
        dropped(b.open(envelope(A, B, 10, WireReader.NUMBER_MAX + 1, 1, 0), 0), Reason.MALFORMED);
        dropped(b.open(envelope(A, B, 10, WireReader.NUMBER_MAX, 1, 0), 0), Reason.OTHER_LIFE_OF_US);
    }

    private static byte[] envelope(NodeId from, NodeId to, long fromLife, long toLife, long sequence, long known) {
        return envelope(from, to, fromLife, toLife, sequence, known, BODY, BODY.length);
    }

    private static byte[] envelope(
            NodeId from, NodeId to, long fromLife, long toLife, long sequence, long known, byte[] body, int length) {
        int version = WireVersions.OURS.newest();
        return new Envelope(from, to, fromLife, toLife, sequence, known, version, version, Envelope.Kind.MESSAGES)
                .write("cluster", body, length, null);
    }

    @Test
    void anotherVersionIsDroppedBeforeItsLayoutMatters() {
        assertThat(dropped(b.open(new byte[] {'Q', 7}, 0), Reason.OTHER_VERSION).theirs())
                .isEqualTo("7");
    }

    @Test
    void anotherClusterIsDropped() {
        Links stranger = new Links("clustes", A, 10, HEARTBEAT, SUPPORT, List.of(), Optional.empty());
        Dropped foreign = dropped(b.open(sealed(stranger, B, 0), 0), Reason.OTHER_CLUSTER);
        assertThat(foreign.from()).contains(A);
        assertThat(foreign.theirs()).isEqualTo("clustes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Links("c".repeat(65), A, 10, HEARTBEAT, SUPPORT, List.of(), Optional.empty()))
                .withMessageContaining("65 bytes: must be at most 64");
    }

    @Test
    void aFrameInTheNameOfAnotherThanTheProvedSenderIsDropped() {
        meet(a, A, b, B, 0);
        accepted(b.open(Optional.of(A), sealed(a, B, 0), 0));
        byte[] second = sealed(a, B, 0);
        Dropped forged = dropped(b.open(Optional.of(C), second, 0), Reason.FORGED);
        assertThat(forged.from()).contains(A);
        assertThat(forged.theirs()).isEqualTo("c");
        // It has left no trace: the true one is no copy.
        accepted(b.open(Optional.of(A), second, 0));
    }

    @Test
    void aFrameForAnotherNodeIsDropped() {
        Dropped dropped = dropped(b.open(sealed(a, C, 0), 0), Reason.NOT_FOR_US);
        assertThat(dropped.from()).contains(A);
        assertThat(dropped.theirs()).isEqualTo("c");
    }

    @Test
    void aSecondProcessUnderOurIdIsReportedWithItsIncarnation() {
        Dropped own = dropped(b.open(envelope(B, B, 21, 0, 1, 0), 0), Reason.OWN_ID);
        assertThat(own.incarnation()).isEqualTo(21);
        assertThat(own.unanswered()).isZero();
    }

    @Test
    void aFrameForAFormerLifeIsDroppedAndItsSenderLearnsOfThePresentOne() {
        meet(a, A, b, B, 0);
        Links restarted = links(A, 9);
        Dropped former = dropped(restarted.open(sealed(b, A, SUPPORT), SUPPORT), Reason.OTHER_LIFE_OF_US);
        assertThat(former.from()).contains(B);
        assertThat(former.incarnation()).isEqualTo(20);
        byte[] word = restarted.question(former);
        assertThat(accepted(b.open(word, SUPPORT)).isNewIncarnation()).isTrue();
        assertThat(accepted(restarted.open(sealed(b, A, SUPPORT), SUPPORT)).isNewIncarnation())
                .isTrue();
    }

    @Test
    void aFrameThatIsOvertakenIsAcceptedAndItsCopiesAreStale() {
        meet(a, A, b, B, 0);
        byte[] first = sealed(a, B, 0);
        byte[] second = sealed(a, B, 1);
        byte[] third = sealed(a, B, 2);
        accepted(b.open(second, 3));
        dropped(b.open(second, 3), Reason.STALE_SEQUENCE);
        accepted(b.open(first, 3));
        dropped(b.open(first, 3), Reason.STALE_SEQUENCE);
        accepted(b.open(third, 3));
        dropped(b.open(second, 3), Reason.STALE_SEQUENCE);
    }

    @Test
    void aNewLifeStartsItsSequenceAnew() {
        meet(a, A, b, B, 0);
        for (int i = 0; i < 500; i++) {
            byte[] frame = sealed(a, B, i * SUPPORT);
            accepted(b.open(frame, i * SUPPORT));
        }
        Links restarted = links(A, 11);
        meet(restarted, A, b, B, 500 * SUPPORT);
        accepted(b.open(sealed(restarted, B, 500 * SUPPORT), 500 * SUPPORT));
        dropped(b.open(sealed(a, B, 500 * SUPPORT), 502 * SUPPORT), Reason.UNPROVED_LIFE);
    }

    @Test
    void strangersBeyondTheBoundAreDroppedAndKnownPeersAreNot() {
        meet(a, A, b, B, 0);
        for (int i = 1; i < Links.PEERS_MAX; i++) {
            introduce(new NodeId("n" + i), 0);
        }
        dropped(b.open(envelope(C, B, 1, 0, 1, 0), 0), Reason.TOO_MANY_PEERS);
        assertThat(b.seal(C, BODY, BODY.length, 0)).isEmpty();
        accepted(b.open(sealed(a, B, 0), 0));
        introduce(VOTER, 0);
        assertThat(b.seal(VOTER, BODY, BODY.length, 0))
                .as("a voter has a seat of its own")
                .isPresent();
        assertThat(b.peers()).isEqualTo(Links.PEERS_MAX + 1);
    }

    // Pods whose names change: each comes, and dies without a goodbye.
    @Test
    void fiveThousandNamesThatComeAndDieLeaveRoomForOthersAndForWhoReturns() {
        Links voter = links(VOTER, 7);
        meet(voter, VOTER, b, B, 0);
        long now = 0;
        for (int i = 0; i < 5_000; i++) {
            now = i * SUPPORT / 200;
            introduce(new NodeId("pod-" + i), now);
            assertThat(b.seal(new NodeId("pod-" + i), BODY, BODY.length, now)).isPresent();
        }
        assertThat(b.peers()).isLessThanOrEqualTo(Links.PEERS_MAX + 1);
        assertThat(b.dropped()).doesNotContainKey(Reason.TOO_MANY_PEERS);
        // The voter was cut off meanwhile, in the same life, and remembers what it had heard.
        accepted(b.open(sealed(voter, B, now), now));
        accepted(voter.open(sealed(b, VOTER, now), now));
    }

    // It was heard in this life, is forgotten, and comes back in the same life: it remembers this node's numbers. But
    // what it has said before proves nothing to who has forgotten it.
    @Test
    void forgottenPeerIsUnderstoodWhenItReturns() {
        meet(a, A, b, B, 0);
        for (int frame = 0; frame < 5; frame++) {
            accepted(b.open(sealed(a, B, frame), frame));
            accepted(a.open(sealed(b, A, frame), frame));
        }
        byte[] late = sealed(a, B, 5);
        long now = 10 * SUPPORT + 5;
        for (int i = 0; i < Links.PEERS_MAX; i++) {
            introduce(new NodeId("pod-" + i), now);
        }
        now += 10 * SUPPORT;
        introduce(C, now);
        assertThat(b.peers()).as("all others were silent for too long").isEqualTo(1);
        dropped(b.open(late, now), Reason.UNPROVED_LIFE);
        Handshake.Heard again = Handshake.hear(b, sealed(a, B, now), now);
        dropped(again.opened(), Reason.UNPROVED_LIFE);
        accepted(a.open(again.answer().orElseThrow(), now));
        assertThat(accepted(b.open(sealed(a, B, now), now)).isNewIncarnation()).isTrue();
        accepted(a.open(sealed(b, A, now), now));
    }

    @Test
    void nobodyIsForgottenBeforeTenSupportTimes() {
        for (int i = 0; i < Links.PEERS_MAX; i++) {
            introduce(new NodeId("pod-" + i), 0);
        }
        dropped(b.open(envelope(C, B, 1, 0, 1, 0), 10 * SUPPORT - 1), Reason.TOO_MANY_PEERS);
        assertThat(b.peers()).isEqualTo(Links.PEERS_MAX);
        introduce(C, 11 * SUPPORT);
    }

    @Test
    void everyDropIsCountedByReason() {
        meet(a, A, b, B, 0);
        byte[] heard = sealed(a, B, 0);
        accepted(b.open(heard, 0));
        Set<Reason> seen = EnumSet.noneOf(Reason.class);
        List<byte[]> frames = new ArrayList<>(List.of(
                new byte[0],
                new byte[] {'Q', 9},
                sealed(a, C, 0),
                envelope(B, B, 1, 0, 1, 0),
                envelope(C, B, 9, 5, 7, 0),
                heard,
                sealed(new Links("other", A, 1, HEARTBEAT, SUPPORT, List.of(), Optional.empty()), B, 0)));
        frames.forEach(frame -> {
            if (b.open(frame, 0) instanceof Dropped dropped) {
                seen.add(dropped.reason());
            }
        });
        seen.add(dropped(b.open(Optional.of(C), sealed(a, B, 0), 0), Reason.FORGED)
                .reason());
        // A second process runs under the id.
        meet(links(B, 21), B, a, A, SUPPORT);
        seen.add(dropped(b.open(sealed(a, B, SUPPORT), SUPPORT), Reason.OTHER_PROCESS_OF_US)
                .reason());
        // Too long to wait for the proof.
        byte[] tooLong = links(C, 1).seal(B, new byte[5_000], 5_000, 0).orElseThrow();
        seen.add(dropped(b.open(tooLong, SUPPORT), Reason.UNPROVED_LIFE).reason());
        assertThat(seen)
                .isEqualTo(EnumSet.complementOf(EnumSet.of(
                        Reason.TOO_MANY_PEERS,
                        Reason.WITHOUT_MAC,
                        Reason.OTHER_SECRET,
                        Reason.WITH_MAC,
                        Reason.NOT_BELIEVED)));
        assertThat(b.dropped().keySet()).isEqualTo(seen);
        assertThat(b.dropped().values()).allMatch(count -> count == 1L);
        assertThat(a.dropped()).isEqualTo(Map.of());
    }

    // 100,000 frames: mutated, cut, lengthened and random ones. No input makes the reader throw.
    @Test
    void noInputMakesTheReaderThrow() {
        String given = System.getProperty("seed", "");
        long seed = given.isEmpty() ? 42 : Long.parseLong(given);
        Random random = new Random(seed);
        Map<String, Integer> outcomes = new TreeMap<>();
        Links reader = b;
        for (int i = 0; i < 100_000; i++) {
            if (i % 50 == 0) {
                reader = links(B, 20);
                meet(links(A, 2), A, reader, B, i);
                meet(links(C, 2), C, reader, B, i);
            }
            byte[] frame = bad(random);
            try {
                DecodedFrame opened = reader.open(frame, i);
                outcomes.merge(opened instanceof Dropped d ? d.reason().name() : "ACCEPTED", 1, Integer::sum);
            } catch (RuntimeException e) {
                throw new AssertionError(
                        "frame " + i + " failed with seed=" + seed + "; rerun: mvn test -Dseed=" + seed, e);
            }
        }
        System.out.println("LinksTest.noInputMakesTheReaderThrow: seed=" + seed + " " + outcomes);
        assertThat(outcomes)
                .as("seed=" + seed)
                .containsKeys("ACCEPTED", "MALFORMED", "STALE_SEQUENCE", "UNPROVED_LIFE");
    }

    private byte[] bad(Random random) {
        long life = random.nextInt(2) * 20L;
        byte[] good = envelope(
                random.nextBoolean() ? A : C,
                B,
                1 + random.nextInt(3),
                life,
                1 + random.nextInt(1000),
                life == 0 ? 0 : random.nextInt(5));
        switch (random.nextInt(4)) {
            case 0 -> {
                byte[] noise = new byte[random.nextInt(200)];
                random.nextBytes(noise);
                return noise;
            }
            case 1 -> {
                return Arrays.copyOf(good, random.nextInt(good.length + 20));
            }
            default -> {
                for (int change = random.nextInt(4); change >= 0; change--) {
                    good[random.nextInt(good.length)] = (byte) random.nextInt();
                }
                return good;
            }
        }
    }
}
