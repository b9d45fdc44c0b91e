package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.WireVersion;
import io.quorate.runtime.Opened.Accepted;
import io.quorate.runtime.Opened.Dropped;
import io.quorate.runtime.Opened.Reason;
import io.quorate.spi.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** docs/protocol.md#wire-versions: which version of frames is spoken with a peer, and how both sides learn that. */
class LinksVersionTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final long HEARTBEAT = 100_000_000L;
    private static final long SUPPORT = 1_000_000_000L;
    private static final long MINUTE = 60_000_000_000L;
    private static final byte[] BODY = {1, 2, 3};
    private static final byte[] NOTHING = new byte[0];
    private static final Optional<ClusterSecret> SECRET =
            Optional.of(ClusterSecret.of("a secret of the cluster".getBytes(StandardCharsets.UTF_8), Optional.empty()));

    private final Links a = links(A, 10);
    private final Links b = links(B, 20);

    private static Links links(NodeId self, long incarnation) {
        return links(self, incarnation, Optional.empty());
    }

    private static Links links(NodeId self, long incarnation, Optional<ClusterSecret> secret) {
        return new Links("cluster", self, incarnation, HEARTBEAT, SUPPORT, List.of(A, B), secret);
    }

    private static int version(byte[] frame) {
        return frame[1];
    }

    private static byte[] sealed(Links from, NodeId to, long now) {
        return from.seal(to, BODY, BODY.length, now).orElseThrow();
    }

    private static Accepted accepted(Opened opened) {
        assertThat(opened).isInstanceOf(Accepted.class);
        return (Accepted) opened;
    }

    private static Reason reason(Opened opened) {
        return ((Dropped) opened).reason();
    }

    /** What a node of the oldest version makes of a frame: it drops what is of another one. */
    private static boolean isReadByOld(Links old, byte[] frame, long now) {
        return version(frame) == WireVersion.OLDEST && old.open(frame, now) instanceof Accepted;
    }

    /** Both have heard of each other, and have said what they speak. */
    private static void agree(Links one, NodeId idOfOne, Links other, NodeId idOfOther, long now) {
        accepted(other.open(sealed(one, idOfOther, now), now));
        accepted(one.open(sealed(other, idOfOne, now), now));
        accepted(other.open(one.offer(idOfOther, now).orElseThrow(), now));
        accepted(one.open(sealed(other, idOfOne, now), now));
        assertThat(one.commonWith(idOfOther)).isEqualTo(WireVersion.NEWEST);
        assertThat(other.commonWith(idOfOne)).isEqualTo(WireVersion.NEWEST);
    }

    @Test
    void twoThatSpeakTheNewestFindOutByOneOffer() {
        byte[] first = sealed(a, B, 0);
        assertThat(version(first)).isEqualTo(WireVersion.OLDEST);
        assertThat(a.offer(B, 0)).as("an offer to somebody who is not heard").isEmpty();
        assertThat(accepted(b.open(first, 0)).isVersionNews()).isFalse();

        byte[] offer = b.offer(A, 0).orElseThrow();
        assertThat(version(offer)).isEqualTo(WireVersion.FIRST_THAT_SAYS);
        Accepted opened = accepted(a.open(offer, 0));
        assertThat(opened.bodyLength()).isZero();
        assertThat(opened.isVersionNews()).isTrue();
        assertThat(a.commonWith(B)).isEqualTo(WireVersion.NEWEST);
        assertThat(b.commonWith(A)).as("not before it hears so").isEqualTo(WireVersion.OLDEST);

        byte[] answer = sealed(a, B, 0);
        assertThat(version(answer)).isEqualTo(WireVersion.NEWEST);
        assertThat(accepted(b.open(answer, 0)).isVersionNews()).isTrue();
        assertThat(version(sealed(b, A, 0))).isEqualTo(WireVersion.NEWEST);
        assertThat(a.offer(B, 0)).isEmpty();
        assertThat(b.offer(A, 10 * MINUTE)).isEmpty();
    }

    // Else two between whom only what needs the newest version travels would never learn of each other.
    @Test
    void anOfferIsAnsweredThoughNothingElseIsToBeSaid() {
        a.needNewer(B, 0);
        accepted(b.open(a.offer(B, 0).orElseThrow(), 0));
        assertThat(b.owedAcks(2 * HEARTBEAT)).containsExactly(A);
        byte[] word = b.seal(A, NOTHING, 0, 2 * HEARTBEAT).orElseThrow();
        assertThat(accepted(a.open(word, 2 * HEARTBEAT)).isVersionNews()).isTrue();
        assertThat(a.commonWith(B)).isEqualTo(WireVersion.NEWEST);
        // One word more, and then both are quiet.
        accepted(b.open(a.seal(B, NOTHING, 0, 4 * HEARTBEAT).orElseThrow(), 4 * HEARTBEAT));
        assertThat(a.owedAcks(MINUTE)).isEmpty();
        assertThat(b.owedAcks(MINUTE)).isEmpty();
    }

    // A process that is back quickly is answered in the oldest version, because the one before it may be heard as well.
    // Between two whose messages all need the newest one, that answer was the last word for ever.
    @Test
    void anOfferIsAnsweredAgainWhenTheLifeBeforeIsOver() {
        accepted(b.open(sealed(a, B, 0), 0));
        Links back = links(A, 11);
        long now = HEARTBEAT;
        while (back.commonWith(B) < WireVersion.NEWEST && now < MINUTE) {
            back.needNewer(B, now);
            Optional<byte[]> offer = back.offer(B, now);
            long at = now;
            offer.ifPresent(frame -> b.open(frame, at));
            now += 2 * HEARTBEAT;
            for (NodeId owed : b.owedAcks(now)) {
                back.open(b.seal(owed, NOTHING, 0, now).orElseThrow(), now);
            }
        }
        assertThat(now).isLessThan(3 * SUPPORT);
        // And then both are quiet.
        for (NodeId owed : back.owedAcks(MINUTE)) {
            b.open(back.seal(owed, NOTHING, 0, MINUTE).orElseThrow(), MINUTE);
        }
        assertThat(b.owedAcks(2 * MINUTE)).isEmpty();
        assertThat(back.owedAcks(2 * MINUTE)).isEmpty();
    }

    @Test
    void anOldPeerHearsEverythingAndIsFoundOut() {
        int offers = 0;
        int news = 0;
        long foundOutAt = 0;
        for (long now = 0; now <= 10 * MINUTE; now += HEARTBEAT) {
            assertThat(isReadByOld(b, sealed(a, B, now), now)).isTrue();
            Optional<byte[]> offer = a.offer(B, now);
            offers += offer.isPresent() ? 1 : 0;
            offer.ifPresent(frame -> assertThat(version(frame)).isEqualTo(WireVersion.FIRST_THAT_SAYS));
            if (accepted(a.open(sealed(b, A, now), now)).isVersionNews()) {
                news++;
                foundOutAt = now;
            }
        }
        assertThat(offers).isBetween(9, 11);
        assertThat(news).isEqualTo(1);
        assertThat(foundOutAt).isBetween(2 * HEARTBEAT, 5 * HEARTBEAT);
        assertThat(a.isOlder(B)).isTrue();
        assertThat(a.commonWith(B)).isEqualTo(WireVersion.OLDEST);
    }

    // An old peer drops it, so it must not take with it what the peer is owed.
    @Test
    void anOfferDoesNotCountAsAcknowledgement() {
        accepted(a.open(sealed(b, A, 0), 0));
        assertThat(a.offer(B, 0)).isPresent();
        assertThat(a.owedAcks(2 * HEARTBEAT)).containsExactly(B);
    }

    @Test
    void lossOfAnOfferDelays() {
        accepted(b.open(sealed(a, B, 0), 0));
        assertThat(b.offer(A, 0)).isPresent();
        accepted(b.open(sealed(a, B, MINUTE - 1), MINUTE - 1));
        assertThat(b.offer(A, MINUTE - 1)).isEmpty();
        accepted(a.open(b.offer(A, MINUTE).orElseThrow(), MINUTE));
        assertThat(a.commonWith(B)).isEqualTo(WireVersion.NEWEST);
    }

    @Test
    void whatNeedsTheNewestVersionOffersItOncePerHeartbeatWhoeverIsThere() {
        for (long now : new long[] {0, HEARTBEAT, 2 * HEARTBEAT}) {
            a.needNewer(B, now);
            assertThat(a.offer(B, now)).isPresent();
            a.needNewer(B, now);
            assertThat(a.offer(B, now + HEARTBEAT - 1)).isEmpty();
        }
        assertThat(a.offer(new NodeId("c"), 0)).isEmpty();
    }

    @Test
    void aNewLifeStartsAnew() {
        agree(a, A, b, B, 0);
        Links newLife = links(B, 21);
        accepted(a.open(sealed(newLife, A, SUPPORT), SUPPORT));
        assertThat(a.commonWith(B)).isEqualTo(WireVersion.OLDEST);
        assertThat(version(sealed(a, B, SUPPORT))).isEqualTo(WireVersion.OLDEST);
        byte[] offer = a.offer(B, SUPPORT).orElseThrow();
        // This node may take another life too: the peer asks anew, this node still knows what the peer speaks.
        accepted(newLife.open(offer, SUPPORT));
        accepted(a.open(sealed(newLife, A, SUPPORT), SUPPORT));
        a.incarnation(11);
        assertThat(accepted(newLife.open(sealed(a, B, SUPPORT), SUPPORT)).isVersionNews())
                .isTrue();
    }

    // A node that only answers, and is back in an older version, would else never hear a frame that it can read.
    @Test
    void aPeerThatDoesNotAnswerIsSpokenToInTheOldestVersion() {
        agree(a, A, b, B, 0);
        assertThat(version(sealed(a, B, 1))).isEqualTo(WireVersion.NEWEST);
        long silent = 1 + 2 * HEARTBEAT;
        assertThat(version(sealed(a, B, silent))).isEqualTo(WireVersion.NEWEST);
        assertThat(version(sealed(a, B, silent + 1))).isEqualTo(WireVersion.OLDEST);
        byte[] heartbeat = a.seal(B, BODY, 3, WireVersion.NEWEST, silent + 1).orElseThrow();
        assertThat(version(heartbeat)).as("a body that has no older form").isEqualTo(WireVersion.NEWEST);
        assertThat(a.offer(B, silent + MINUTE)).as("it is not heard").isEmpty();
        // The same life answers after all, in whatever version: it speaks what it spoke.
        accepted(a.open(new Envelope(B, A, 20, 10, 99, 0).write("cluster", BODY, BODY.length), silent + MINUTE));
        assertThat(version(sealed(a, B, silent + MINUTE))).isEqualTo(WireVersion.NEWEST);
    }

    // Two processes under one id: the older one may be the one that leads.
    @Test
    void whileTwoLivesAreHeardBothCanReadEverything() {
        agree(a, A, b, B, 0);
        Links newLife = links(B, 21);
        accepted(a.open(sealed(newLife, A, 1), 1));
        accepted(newLife.open(sealed(a, B, 1), 1));
        accepted(newLife.open(a.offer(B, 1).orElseThrow(), 1));
        accepted(a.open(sealed(newLife, A, 2), 2));
        assertThat(a.commonWith(B)).isEqualTo(WireVersion.NEWEST);
        assertThat(version(sealed(a, B, 2))).isEqualTo(WireVersion.OLDEST);
        accepted(a.open(sealed(newLife, A, SUPPORT), SUPPORT));
        assertThat(version(sealed(a, B, SUPPORT))).isEqualTo(WireVersion.NEWEST);
    }

    @Test
    void aBodyThatNeedsMoreThanIsSpokenIsHeldBack() {
        agree(a, A, b, B, 0);
        assertThat(version(a.seal(B, BODY, 3, WireVersion.NEWEST, 0).orElseThrow()))
                .isEqualTo(WireVersion.NEWEST);
        accepted(a.open(sealed(links(B, 21), A, 0), 0));
        assertThat(a.seal(B, BODY, 3, WireVersion.NEWEST, 0)).isEmpty();
        assertThat(a.refused()).isEqualTo(1);
        assertThat(a.seal(B, BODY, 3, WireVersion.OLDEST, 0)).isPresent();
    }

    @Test
    void versionsThatNobodySpeaksAreDropped() {
        for (int version = 0; version < 256; version++) {
            byte[] frame = new Envelope(A, B, 10, 0, version + 1, 0, version, 255).write("cluster", BODY, BODY.length);
            Opened opened = b.open(frame, 0);
            if (version == WireVersion.OLDEST || version == WireVersion.NEWEST) {
                accepted(opened);
            } else {
                assertThat(reason(opened)).isEqualTo(Reason.OTHER_VERSION);
                assertThat(((Dropped) opened).theirs()).isEqualTo(Integer.toString(version));
            }
        }
        assertThat(b.commonWith(A)).as("with one that speaks up to 255").isEqualTo(WireVersion.NEWEST);
        byte[] liar = new Envelope(A, B, 10, 0, 999, 0, WireVersion.NEWEST, WireVersion.OLDEST)
                .write("cluster", BODY, BODY.length);
        assertThat(reason(b.open(liar, 0))).isEqualTo(Reason.MALFORMED);
    }

    // ---------------------------------------------------------------- forged and recorded

    @Test
    void underASecretNobodyChangesTheVersionOfAFrame() {
        Links from = links(A, 10, SECRET);
        Links to = links(B, 20, SECRET);
        agree(from, A, to, B, 0);
        byte[] frame = sealed(from, B, 0);
        for (int at = 0; at < frame.length; at++) {
            byte[] changed = frame.clone();
            changed[at] ^= 1;
            assertThat(to.open(changed, 0)).as("byte " + at).isInstanceOf(Dropped.class);
        }
        byte[] lowered = frame.clone();
        lowered[1] = WireVersion.OLDEST;
        assertThat(reason(to.open(lowered, 0))).isEqualTo(Reason.OTHER_SECRET);
        accepted(to.open(frame, 0));
    }

    @Test
    void recordedFramesLowerNobodyAndRaiseNobody() {
        byte[] ofFirstContact = sealed(b, A, 0);
        accepted(a.open(ofFirstContact, 0));
        accepted(b.open(a.offer(B, 0).orElseThrow(), 0));
        byte[] ofTheNewest = sealed(b, A, 0);
        accepted(a.open(ofTheNewest, 0));
        assertThat(reason(a.open(ofFirstContact, 0))).isEqualTo(Reason.STALE_SEQUENCE);
        assertThat(a.commonWith(B)).isEqualTo(WireVersion.NEWEST);
        // B is back, in an older version; its former life was recorded.
        accepted(a.open(sealed(links(B, 21), A, SUPPORT), SUPPORT));
        for (byte[] recorded : List.of(ofFirstContact, ofTheNewest)) {
            assertThat(a.open(recorded, SUPPORT)).isInstanceOf(Dropped.class);
            assertThat(a.commonWith(B)).isEqualTo(WireVersion.OLDEST);
        }
    }

    // An offer is for any life, so one that was recorded is always new to a life that has just begun. If it made the
    // former life of its sender count as alive, the living one would be spoken to in the oldest version meanwhile.
    @Test
    void recordedOffersKeepNoFormerLifeAlive() {
        Links former = links(B, 19, SECRET);
        Links older = links(A, 9, SECRET);
        List<byte[]> recorded = new ArrayList<>();
        for (long now = 0; now < 20 * MINUTE; now += MINUTE) {
            former.open(sealed(older, B, now), now);
            recorded.add(former.offer(A, now).orElseThrow());
        }
        Links from = links(A, 10, SECRET);
        Links to = links(B, 20, SECRET);
        accepted(from.open(recorded.get(0), 0));
        to.open(sealed(from, B, 0), 0);
        accepted(from.open(sealed(to, A, 0), 0));
        accepted(from.open(to.offer(A, 0).orElseThrow(), 0));
        long now = 0;
        for (byte[] offer : recorded.subList(1, recorded.size())) {
            now += SUPPORT - 1;
            from.open(offer, now);
            accepted(from.open(sealed(to, A, now), now));
        }
        assertThat(version(sealed(from, B, now))).isEqualTo(WireVersion.NEWEST);
    }

    // ---------------------------------------------------------------- everything at random

    /** Speaks first, or only answers; is restarted now and then, in one version or the other. */
    private static final class Process {
        private final NodeId id;
        private Links links;
        private boolean isOld;
        private long life;

        private Process(NodeId id) {
            this.id = id;
        }

        private void restart(boolean old) {
            isOld = old;
            links = links(id, ++life);
        }
    }

    /** What happened to frames with a body. */
    private int unread;

    private void send(Process from, Process to, double loss, Random random, long now) {
        Optional<byte[]> frame = from.links.seal(to.id, BODY, BODY.length, now);
        Optional<byte[]> offer = from.isOld ? Optional.empty() : from.links.offer(to.id, now);
        if (frame.isPresent() && random.nextDouble() >= loss) {
            if (from.isOld) {
                assertThat(version(frame.get())).isEqualTo(WireVersion.OLDEST);
            }
            if (to.isOld && version(frame.get()) != WireVersion.OLDEST) {
                unread++;
            } else {
                to.links.open(frame.get(), now);
            }
        }
        if (offer.isPresent() && !to.isOld && random.nextDouble() >= loss) {
            to.links.open(offer.get(), now);
        }
    }

    // B only answers. After each restart, A finds the version that B reads within a few heartbeats; and without loss,
    // the newest one is spoken a minute after both could.
    @Test
    void whateverIsRestartedIsSoonUnderstood() {
        long seed = Long.getLong("seed", ThreadLocalRandom.current().nextInt(1_000_000));
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            Process one = new Process(A);
            Process other = new Process(B);
            one.restart(random.nextBoolean());
            other.restart(random.nextBoolean());
            double loss = random.nextInt(3) * 0.1;
            long now = 0;
            for (int turn = 0; turn < 6; turn++) {
                Process restarted = random.nextBoolean() ? one : other;
                restarted.restart(random.nextBoolean());
                unread = 0;
                long end = now + SUPPORT + random.nextInt((int) SUPPORT);
                for (; now < end; now += HEARTBEAT / 2) {
                    send(one, other, loss, random, now);
                    if (other.links.peers() > 0) {
                        send(other, one, loss, random, now);
                    }
                }
                assertThat(unread)
                        .as("failed with seed=%d, round %d: frames that %s could not read", seed, round, other.id)
                        .isLessThanOrEqualTo(6);
            }
            boolean canBoth = !one.isOld && !other.isOld;
            for (long end = now + 2 * MINUTE; now < end; now += HEARTBEAT) {
                send(one, other, 0, random, now);
                send(other, one, 0, random, now);
            }
            int expected = canBoth ? WireVersion.NEWEST : WireVersion.OLDEST;
            assertThat(one.links.commonWith(B))
                    .as("failed with seed=%d, round %d", seed, round)
                    .isEqualTo(expected);
            assertThat(other.links.commonWith(A))
                    .as("failed with seed=%d, round %d", seed, round)
                    .isEqualTo(expected);
        }
    }
}
