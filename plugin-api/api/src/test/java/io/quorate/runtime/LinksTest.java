package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.runtime.Opened.Accepted;
import io.quorate.runtime.Opened.Dropped;
import io.quorate.runtime.Opened.Reason;
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
        return new Links("cluster", self, incarnation, HEARTBEAT, SUPPORT, List.of(B, VOTER));
    }

    private static byte[] sealed(Links from, NodeId to, long now) {
        return from.seal(to, BODY, BODY.length, now).orElseThrow();
    }

    private static Accepted accepted(Opened opened) {
        assertThat(opened).isInstanceOf(Accepted.class);
        return (Accepted) opened;
    }

    private static Dropped dropped(Opened opened, Reason reason) {
        assertThat(opened).isInstanceOf(Dropped.class);
        assertThat(((Dropped) opened).reason()).isEqualTo(reason);
        return (Dropped) opened;
    }

    @Test
    void whatIsSealedIsOpenedWithBodySenderAndIncarnation() {
        byte[] body = {9, 8, 7, 6};
        Accepted opened = accepted(b.open(a.seal(B, body, 3, 0).orElseThrow(), 0));
        assertThat(opened.from()).isEqualTo(A);
        assertThat(opened.incarnation()).isEqualTo(10);
        assertThat(opened.bodyLength()).isEqualTo(3);
        assertThat(Arrays.copyOfRange(opened.frame(), opened.bodyOffset(), opened.frame().length))
                .containsExactly(9, 8, 7);
    }

    @Test
    void onlyTheFirstFrameOfALifeIsOfANewIncarnation() {
        assertThat(accepted(b.open(sealed(a, B, 0), 0)).isNewIncarnation()).isTrue();
        assertThat(accepted(b.open(sealed(a, B, 1), 1)).isNewIncarnation()).isFalse();
        Links next = links(A, 11);
        assertThat(accepted(b.open(sealed(next, B, 2), 2)).isNewIncarnation()).isTrue();
    }

    @Test
    void aFrameOfTheGreatestLengthFits() {
        byte[] body = new byte[Links.BODY_LENGTH_MAX];
        NodeId longest = new NodeId("x".repeat(NodeId.LENGTH_MAX));
        Links sender = links(longest, WireReader.NUMBER_MAX);
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
                .isThrownBy(() -> new Links("cluster", A, 0, HEARTBEAT, SUPPORT, List.of()))
                .withMessage("incarnation 0: must be at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Links("cluster", A, 1, 0, SUPPORT, List.of()))
                .withMessage("heartbeat 0 ns: must be at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Links("cluster", A, 1, HEARTBEAT, 0, List.of()))
                .withMessage("support 0 ns: must be at least 1");
        assertThat(new Links("cluster", A, 1, 1, 1, List.of()).incarnation()).isEqualTo(1);
    }

    @Test
    void theLongestFrameIsReadAndALongerOneIsNot() {
        int head = sealed(a, B, 0).length - BODY.length;
        for (int longer = 0; longer <= 1; longer++) {
            byte[] body = new byte[Transport.FRAME_LENGTH_MAX - head + longer];
            byte[] frame = envelope(A, B, 10, 0, 1, 0, body, body.length);
            assertThat(frame).hasSize(Transport.FRAME_LENGTH_MAX + longer);
            assertThat(b.open(frame, 0) instanceof Accepted).isEqualTo(longer == 0);
        }
    }

    // The clock of a process may begin anywhere, below zero too.
    @Test
    void onlyDifferencesOfTimesCount() {
        for (long start : new long[] {-3 * SUPPORT, Long.MAX_VALUE - SUPPORT, 1_000 * SUPPORT}) {
            Links reader = links(B, 20);
            accepted(reader.open(sealed(links(A, 11), B, start), start));
            byte[] older = envelope(A, B, 10, 0, 1, 0);
            assertThat(dropped(reader.open(older, start + SUPPORT - 1), Reason.OLDER_INCARNATION)
                            .rivalSilent())
                    .isFalse();
            assertThat(dropped(reader.open(older, start + SUPPORT), Reason.OLDER_INCARNATION)
                            .rivalSilent())
                    .isTrue();
            dropped(reader.open(older, start + 10 * SUPPORT - 1), Reason.OLDER_INCARNATION);
            accepted(reader.open(older, start + 10 * SUPPORT));
        }
    }

    // Only an older life may be forgotten: of the newest one, each frame is good for once, however late.
    @Test
    void aFrameOfTheNewestLifeStaysStale() {
        byte[] frame = sealed(a, B, 0);
        accepted(b.open(frame, 0));
        dropped(b.open(frame, 1000 * SUPPORT), Reason.STALE_SEQUENCE);
    }

    @Test
    void aFrameOfALivingFormerLifeForAFormerLifeOfOursIsDropped() {
        accepted(b.open(envelope(A, B, 10, 20, 1, 0), 0));
        accepted(b.open(envelope(A, B, 11, 20, 1, 0), 1));
        Dropped former = dropped(b.open(envelope(A, B, 10, 19, 2, 0), 2), Reason.OTHER_LIFE_OF_US);
        assertThat(former.from()).contains(A);
        assertThat(former.incarnation()).isEqualTo(10);
        assertThat(former.rivalIncarnation()).isEqualTo(19);
    }

    // An empty body owes nothing, else acknowledgements would answer each other.
    @Test
    void anEmptyFrameForAFormerLifeIsNotAnswered() {
        dropped(b.open(envelope(A, B, 10, 19, 1, 0, BODY, 0), 0), Reason.OTHER_LIFE_OF_US);
        assertThat(b.owedAcks(SUPPORT)).isEmpty();
        dropped(b.open(envelope(A, B, 10, 19, 2, 0), 0), Reason.OTHER_LIFE_OF_US);
        assertThat(b.owedAcks(SUPPORT)).containsExactly(A);
    }

    // Each look goes through all peers, so strangers that keep coming get one per heartbeat.
    @Test
    void whoIsSilentIsLookedForOncePerHeartbeat() {
        for (int i = 0; i < Links.PEERS_MAX; i++) {
            accepted(b.open(envelope(new NodeId("pod-" + i), B, 1, 0, 1, 0), i == 0 ? 0 : SUPPORT));
        }
        long look = 10 * SUPPORT - HEARTBEAT / 2;
        dropped(b.open(envelope(C, B, 1, 0, 1, 0), look), Reason.TOO_MANY_PEERS);
        dropped(b.open(envelope(C, B, 1, 0, 1, 0), look + HEARTBEAT - 1), Reason.TOO_MANY_PEERS);
        accepted(b.open(envelope(C, B, 1, 0, 1, 0), look + HEARTBEAT));
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
        accepted(b.open(envelope(A, B, 10, 0, 1, 0), 0));
    }

    @Test
    void anAcknowledgementOfWhatWasNeverSentIsMalformed() {
        sealed(b, A, 0);
        dropped(b.open(envelope(A, B, 10, 20, 1, 2), 0), Reason.MALFORMED);
        accepted(b.open(envelope(A, B, 10, 20, 1, 1), 0));
    }

    // Under the id of a peer that is stopped, somebody once wrote a frame with the greatest number there is.
    @Test
    void aLifeThatWasSilentForTenSupportTimesLocksNobodyOut() {
        accepted(b.open(envelope(A, B, WireReader.NUMBER_MAX, 0, 1, 0), 0));
        dropped(b.open(envelope(A, B, 10, 0, 1, 0), 10 * SUPPORT - 1), Reason.OLDER_INCARNATION);
        assertThat(accepted(b.open(envelope(A, B, 10, 0, 2, 0), 10 * SUPPORT)).isNewIncarnation())
                .isTrue();
        accepted(b.open(envelope(A, B, 10, 0, 3, 0), 10 * SUPPORT));
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
        return new Envelope(from, to, fromLife, toLife, sequence, known, version, version)
                .write("cluster", body, length);
    }

    @Test
    void anotherVersionIsDroppedBeforeItsLayoutMatters() {
        assertThat(dropped(b.open(new byte[] {'Q', 7}, 0), Reason.OTHER_VERSION).theirs())
                .isEqualTo("7");
    }

    @Test
    void anotherClusterIsDropped() {
        Links stranger = new Links("clustes", A, 10, HEARTBEAT, SUPPORT, List.of());
        Dropped foreign = dropped(b.open(sealed(stranger, B, 0), 0), Reason.OTHER_CLUSTER);
        assertThat(foreign.from()).contains(A);
        assertThat(foreign.theirs()).isEqualTo("clustes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Links("c".repeat(65), A, 10, HEARTBEAT, SUPPORT, List.of()))
                .withMessageContaining("65 bytes: must be at most 64");
    }

    @Test
    void aFrameInTheNameOfAnotherThanTheProvedSenderIsDropped() {
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
        assertThat(own.rivalIncarnation()).isEqualTo(20);
    }

    @Test
    void anOlderLifeIsDroppedAndToldWhetherItsRivalIsSilent() {
        Links newer = links(A, 11);
        accepted(b.open(sealed(newer, B, 0), 0));
        Dropped early = dropped(b.open(sealed(a, B, 0), SUPPORT - 1), Reason.OLDER_INCARNATION);
        assertThat(early).isEqualTo(new Dropped(Reason.OLDER_INCARNATION, Optional.of(A), 10, 11, false, ""));
        Dropped late = dropped(b.open(sealed(a, B, 0), SUPPORT), Reason.OLDER_INCARNATION);
        assertThat(late.rivalSilent()).isTrue();
    }

    // ADR-0023: "use more than x" must reach a life that ordinary frames are not meant for.
    @Test
    void anOlderLifeCanBeAnsweredAndThenTakesANewerIncarnation() {
        accepted(b.open(sealed(links(A, 11), B, 0), 0));
        dropped(b.open(sealed(a, B, SUPPORT), SUPPORT), Reason.OLDER_INCARNATION);
        dropped(a.open(sealed(b, A, SUPPORT), SUPPORT), Reason.OTHER_LIFE_OF_US);
        byte[] answer = b.sealForOlderLife(A, 10, BODY, BODY.length, SUPPORT).orElseThrow();
        accepted(a.open(answer, SUPPORT));
        assertThat(b.sealForOlderLife(A, 10, BODY, BODY.length, SUPPORT + HEARTBEAT - 1))
                .isEmpty();
        assertThat(b.sealForOlderLife(A, 10, BODY, BODY.length, SUPPORT + HEARTBEAT))
                .isPresent();
        assertThat(b.refused()).isEqualTo(1);
        for (long notOlder : new long[] {11, 0}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> b.sealForOlderLife(A, notOlder, BODY, BODY.length, 3 * SUPPORT))
                    .withMessage("incarnation " + notOlder + " of a: must be older than the newest known");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> b.sealForOlderLife(A, 10, BODY, BODY.length + 1, 3 * SUPPORT))
                .withMessage("body of 4 bytes: must be from 0 to %d, of which 3 are there", Links.BODY_LENGTH_MAX);
        assertThat(b.sealForOlderLife(A, 1, BODY, BODY.length, 3 * SUPPORT)).isPresent();
        a.incarnation(12);
        assertThat(a.incarnation()).isEqualTo(12);
        assertThat(accepted(b.open(sealed(a, B, SUPPORT), SUPPORT)).isNewIncarnation())
                .isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> a.incarnation(12));
    }

    @Test
    void aFrameForAFormerLifeIsDroppedAndItsSenderLearnsOfTheNewOne() {
        accepted(b.open(sealed(a, B, 0), 0));
        Links restarted = links(A, 11);
        Dropped former = dropped(restarted.open(sealed(b, A, 0), 0), Reason.OTHER_LIFE_OF_US);
        assertThat(former.rivalIncarnation()).isEqualTo(10);
        assertThat(restarted.owedAcks(2 * HEARTBEAT)).containsExactly(B);
        byte[] word = restarted.seal(B, BODY, 0, HEARTBEAT).orElseThrow();
        assertThat(accepted(b.open(word, HEARTBEAT)).isNewIncarnation()).isTrue();
        assertThat(accepted(restarted.open(sealed(b, A, HEARTBEAT), HEARTBEAT)).isNewIncarnation())
                .isTrue();
    }

    @Test
    void aFrameForALaterLifeOfUsIsReportedAndNotAnswered() {
        accepted(b.open(sealed(links(A, 11), B, 0), 0));
        Dropped later = dropped(a.open(sealed(b, A, 0), 0), Reason.OTHER_LIFE_OF_US);
        assertThat(later.rivalIncarnation()).isEqualTo(11);
        assertThat(a.owedAcks(SUPPORT)).isEmpty();
    }

    @Test
    void copiesAndLeftOversOfAnOldConnectionAreStale() {
        byte[] first = sealed(a, B, 0);
        byte[] second = sealed(a, B, 1);
        byte[] third = sealed(a, B, 2);
        accepted(b.open(second, 3));
        dropped(b.open(second, 3), Reason.STALE_SEQUENCE);
        dropped(b.open(first, 3), Reason.STALE_SEQUENCE);
        accepted(b.open(third, 3));
        dropped(b.open(second, 3), Reason.STALE_SEQUENCE);
    }

    @Test
    void aNewLifeStartsItsSequenceAnew() {
        for (int i = 0; i < 5; i++) {
            accepted(b.open(sealed(a, B, i), i));
        }
        Links restarted = links(A, 11);
        accepted(b.open(sealed(restarted, B, 5), 5));
        dropped(b.open(sealed(a, B, 5), 5 + SUPPORT), Reason.OLDER_INCARNATION);
    }

    // The first word of the new life is dropped, but its numbers must count from then on, not those of the old life.
    @Test
    void aNewLifeThatIsFirstHeardInADroppedFrameStartsAnewToo() {
        for (int sequence = 1; sequence <= 5; sequence++) {
            accepted(b.open(envelope(A, B, 10, 0, sequence, 0), 0));
        }
        dropped(b.open(envelope(A, B, 11, 19, 1, 0), 0), Reason.OTHER_LIFE_OF_US);
        assertThat(accepted(b.open(envelope(A, B, 11, 20, 2, 0), 0)).isNewIncarnation())
                .isTrue();
    }

    @Test
    void aStaleFrameDoesNotProveThatItsSenderLives() {
        byte[] copy = sealed(links(A, 11), B, 0);
        accepted(b.open(copy, 0));
        dropped(b.open(copy, SUPPORT), Reason.STALE_SEQUENCE);
        assertThat(dropped(b.open(sealed(a, B, 0), SUPPORT), Reason.OLDER_INCARNATION)
                        .rivalSilent())
                .isTrue();
    }

    @Test
    void strangersBeyondTheBoundAreDroppedAndKnownPeersAreNot() {
        accepted(b.open(sealed(a, B, 0), 0));
        for (int i = 1; i < Links.PEERS_MAX; i++) {
            accepted(b.open(envelope(new NodeId("n" + i), B, 1, 0, 1, 0), 0));
        }
        dropped(b.open(envelope(C, B, 1, 0, 1, 0), 0), Reason.TOO_MANY_PEERS);
        assertThat(b.seal(C, BODY, BODY.length, 0)).isEmpty();
        accepted(b.open(sealed(a, B, 0), 0));
        accepted(b.open(sealed(links(VOTER, 7), B, 0), 0));
        assertThat(b.seal(VOTER, BODY, BODY.length, 0))
                .as("a voter has a seat of its own")
                .isPresent();
        assertThat(b.peers()).isEqualTo(Links.PEERS_MAX + 1);
    }

    // Pods whose names change: each comes, and dies without a goodbye.
    @Test
    void fiveThousandNamesThatComeAndDieLeaveRoomForOthersAndForWhoReturns() {
        Links voter = links(VOTER, 7);
        accepted(b.open(sealed(voter, B, 0), 0));
        accepted(voter.open(sealed(b, VOTER, 0), 0));
        long now = 0;
        for (int i = 0; i < 5_000; i++) {
            now = i * SUPPORT / 200;
            accepted(b.open(envelope(new NodeId("pod-" + i), B, 1, 0, 1, 0), now));
            assertThat(b.seal(new NodeId("pod-" + i), BODY, BODY.length, now)).isPresent();
        }
        assertThat(b.peers()).isLessThanOrEqualTo(Links.PEERS_MAX + 1);
        assertThat(b.dropped()).doesNotContainKey(Reason.TOO_MANY_PEERS);
        // The voter was cut off meanwhile, in the same life, and remembers what it had heard.
        accepted(b.open(sealed(voter, B, now), now));
        accepted(voter.open(sealed(b, VOTER, now), now));
    }

    // It was heard in this life, is forgotten, and comes back in the same life: it remembers this node's numbers.
    @Test
    void whoWasForgottenIsUnderstoodWhenItReturns() {
        for (int frame = 0; frame < 5; frame++) {
            accepted(b.open(sealed(a, B, frame), frame));
            accepted(a.open(sealed(b, A, frame), frame));
        }
        long now = 10 * SUPPORT + 5;
        for (int i = 0; i < Links.PEERS_MAX; i++) {
            accepted(b.open(envelope(new NodeId("pod-" + i), B, 1, 0, 1, 0), now));
        }
        now += 10 * SUPPORT;
        accepted(b.open(envelope(C, B, 1, 0, 1, 0), now));
        assertThat(b.peers()).as("all others were silent for too long").isEqualTo(1);
        accepted(b.open(sealed(a, B, now), now));
        accepted(a.open(sealed(b, A, now), now));
    }

    @Test
    void nobodyIsForgottenBeforeTenSupportTimes() {
        for (int i = 0; i < Links.PEERS_MAX; i++) {
            accepted(b.open(envelope(new NodeId("pod-" + i), B, 1, 0, 1, 0), 0));
        }
        dropped(b.open(envelope(C, B, 1, 0, 1, 0), 10 * SUPPORT - 1), Reason.TOO_MANY_PEERS);
        assertThat(b.peers()).isEqualTo(Links.PEERS_MAX);
        accepted(b.open(envelope(C, B, 1, 0, 1, 0), 11 * SUPPORT));
    }

    // A second process under an id must not silence the first: the core finds out, and refuses the second.
    @Test
    void twoLivesAreHeardWhileBothTalk() {
        Links newer = links(A, 11);
        accepted(b.open(sealed(a, B, 0), 0));
        accepted(b.open(sealed(newer, B, 5), 5));
        long last = 5;
        for (long now = 10; now < 3 * SUPPORT; now += SUPPORT / 2) {
            assertThat(accepted(b.open(sealed(a, B, now), now)).incarnation()).isEqualTo(10);
            assertThat(accepted(b.open(sealed(newer, B, now), now)).incarnation())
                    .isEqualTo(11);
            byte[] answer = sealed(b, A, now);
            accepted(a.open(answer, now));
            accepted(newer.open(answer, now));
            last = now;
        }
        dropped(b.open(sealed(a, B, last), last + SUPPORT), Reason.OLDER_INCARNATION);
        dropped(a.open(sealed(b, A, last + SUPPORT), last + SUPPORT), Reason.OTHER_LIFE_OF_US);
    }

    @Test
    void copiesOfTheFormerLifeAreStaleToo() {
        byte[] first = sealed(a, B, 0);
        accepted(b.open(first, 0));
        accepted(b.open(sealed(links(A, 11), B, 5), 5));
        dropped(b.open(first, 6), Reason.STALE_SEQUENCE);
    }

    @Test
    void everyDropIsCountedByReason() {
        Set<Reason> seen = EnumSet.noneOf(Reason.class);
        List<byte[]> frames = new ArrayList<>(List.of(
                new byte[0],
                new byte[] {'Q', 9},
                sealed(a, C, 0),
                envelope(B, B, 1, 0, 1, 0),
                envelope(C, B, 9, 0, 1, 0),
                envelope(C, B, 8, 0, 1, 0),
                envelope(C, B, 9, 5, 7, 0),
                envelope(C, B, 9, 0, 1, 0),
                sealed(new Links("other", A, 1, HEARTBEAT, SUPPORT, List.of()), B, 0)));
        frames.forEach(frame -> {
            if (b.open(frame, 0) instanceof Dropped dropped) {
                seen.add(dropped.reason());
            }
        });
        seen.add(dropped(b.open(Optional.of(C), sealed(a, B, 0), 0), Reason.FORGED)
                .reason());
        assertThat(seen)
                .isEqualTo(EnumSet.complementOf(
                        EnumSet.of(Reason.TOO_MANY_PEERS, Reason.WITHOUT_MAC, Reason.OTHER_SECRET, Reason.WITH_MAC)));
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
                // A changed incarnation can make everything after it old.
                reader = links(B, 20);
            }
            byte[] frame = bad(random);
            try {
                Opened opened = reader.open(frame, i);
                outcomes.merge(opened instanceof Dropped d ? d.reason().name() : "ACCEPTED", 1, Integer::sum);
            } catch (RuntimeException e) {
                throw new AssertionError(
                        "frame " + i + " failed with seed=" + seed + "; rerun: mvn test -Dseed=" + seed, e);
            }
        }
        System.out.println("LinksTest.noInputMakesTheReaderThrow: seed=" + seed + " " + outcomes);
        assertThat(outcomes).as("seed=" + seed).containsKeys("ACCEPTED", "MALFORMED", "STALE_SEQUENCE");
    }

    private byte[] bad(Random random) {
        byte[] good = envelope(
                random.nextBoolean() ? A : C,
                B,
                1 + random.nextInt(3),
                random.nextInt(2) * 20L,
                1 + random.nextInt(1000),
                0);
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
