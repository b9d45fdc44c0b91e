package io.quorate.runtime;

import static io.quorate.runtime.Handshake.meet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quorate.runtime.DecodedFrame.Accepted;
import io.quorate.runtime.DecodedFrame.Dropped;
import io.quorate.runtime.DecodedFrame.Reason;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Under a secret, only who knows it is heard, and what it has once said is not heard again. */
class LinksSecretTest {

    private static final int CHANGED = Integer.getInteger("changed.frames", 100_000);

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final long HEARTBEAT = 150_000_000L;
    private static final long SUPPORT = 1_000_000_000L;
    private static final byte[] BODY = {1, 2, 3};

    private static final byte[] OLD = bytes("the secret of last year");
    private static final byte[] NEW = bytes("the secret of this year");

    private final Links a = links(A, 10, one(OLD));
    private final Links b = links(B, 20, one(OLD));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Optional<ClusterSecret> one(byte[] secret) {
        return Optional.of(ClusterSecret.of(secret, Optional.empty()));
    }

    private static Optional<ClusterSecret> two(byte[] current, byte[] former) {
        return Optional.of(ClusterSecret.of(current, Optional.of(former)));
    }

    private static Links links(NodeId self, long incarnation, Optional<ClusterSecret> secret) {
        return new Links("cluster", self, incarnation, HEARTBEAT, SUPPORT, List.of(A, B), secret);
    }

    private static byte[] sealed(Links from, NodeId to, long now) {
        return from.seal(to, BODY, BODY.length, now).orElseThrow();
    }

    private static void accepted(DecodedFrame opened) {
        assertThat(opened).isInstanceOf(Accepted.class);
    }

    private static Dropped dropped(DecodedFrame opened, Reason reason) {
        assertThat(opened).isInstanceOf(Dropped.class);
        assertThat(((Dropped) opened).reason()).isEqualTo(reason);
        return (Dropped) opened;
    }

    @Test
    void frameUnderTheSecretIsAccepted() {
        assertThat(sealed(a, B, 0)).hasSize(sealed(links(A, 10, Optional.empty()), B, 0).length + FrameMac.LENGTH);
        meet(a, A, b, B, 0);
        byte[] frame = sealed(a, B, 0);
        Accepted opened = (Accepted) b.open(frame, 0);
        assertThat(opened.from()).isEqualTo(A);
        assertThat(Arrays.copyOfRange(
                        opened.passed().frame(),
                        opened.passed().bodyOffset(),
                        opened.passed().bodyOffset() + opened.passed().bodyLength()))
                .isEqualTo(BODY);
        assertThat(b.dropped()).isEqualTo(Map.of());
    }

    @Test
    void theLongestBodyFits() {
        meet(a, A, b, B, 0);
        byte[] body = new byte[Links.BODY_LENGTH_MAX];
        byte[] frame = a.seal(B, body, body.length, 0).orElseThrow();
        assertThat(frame.length).isLessThanOrEqualTo(Transport.FRAME_LENGTH_MAX);
        assertThat(((Accepted) b.open(frame, 0)).passed().bodyLength()).isEqualTo(body.length);
        NodeId longest = new NodeId("x".repeat(NodeId.LENGTH_MAX));
        NodeId asLong = new NodeId("y".repeat(NodeId.LENGTH_MAX));
        Links far = new Links("c".repeat(64), longest, 1L << 61, HEARTBEAT, SUPPORT, List.of(), one(OLD));
        assertThat(far.seal(asLong, body, body.length, 0).orElseThrow().length)
                .isLessThanOrEqualTo(Transport.FRAME_LENGTH_MAX);
    }

    @Test
    void aFrameWithoutMacIsDroppedBeforeAnythingIsRead() {
        Links plain = links(A, 10, Optional.empty());
        assertThat(dropped(b.open(sealed(plain, B, 0), 0), Reason.WITHOUT_MAC).from())
                .isEmpty();
        assertThat(b.peers()).isZero();
        assertThat(dropped(b.open(Optional.of(C), sealed(plain, B, 0), 0), Reason.WITHOUT_MAC)
                        .from())
                .as("who has proved to have sent it is named")
                .contains(C);
        assertThat(b.dropped()).isEqualTo(Map.of(Reason.WITHOUT_MAC, 2L));
    }

    @Test
    void aFrameUnderAnotherSecretIsDroppedBeforeAnythingIsRead() {
        dropped(b.open(sealed(links(A, 10, one(NEW)), B, 0), 0), Reason.OTHER_SECRET);
        Links sameSecret = new Links("other", A, 10, HEARTBEAT, SUPPORT, List.of(), one(OLD));
        dropped(b.open(sealed(sameSecret, B, 0), 0), Reason.OTHER_SECRET);
        assertThat(b.peers()).isZero();
        assertThat(b.dropped()).isEqualTo(Map.of(Reason.OTHER_SECRET, 2L));
    }

    @Test
    void nodeWithoutASecretDropsFramesWithAMac() {
        Links plain = links(B, 20, Optional.empty());
        assertThat(dropped(plain.open(sealed(a, B, 0), 0), Reason.WITH_MAC).from())
                .contains(A);
        assertThat(plain.peers()).isZero();
        dropped(plain.open(sealed(a, C, 0), 0), Reason.NOT_FOR_US);
    }

    // The name in the envelope is compared with what the transport has proved, with a secret too.
    @Test
    void aHolderOfTheSecretDoesNotSpeakForAnother() {
        meet(a, A, b, B, 0);
        dropped(b.open(Optional.of(C), sealed(a, B, 0), 0), Reason.FORGED);
        accepted(b.open(Optional.of(A), sealed(a, B, 0), 0));
    }

    // The steps of a rotation, one node at a time: neighbours in time always hear each other.
    @Test
    void secretsAreChangedWithoutAMomentOfSilence() {
        List<Optional<ClusterSecret>> steps = List.of(one(OLD), two(OLD, NEW), two(NEW, OLD), one(NEW));
        for (int step = 0; step + 1 < steps.size(); step++) {
            Links before = links(A, 10, steps.get(step));
            Links after = links(B, 20, steps.get(step + 1));
            meet(before, A, after, B, 0);
            accepted(after.open(sealed(before, B, 0), 0));
            accepted(before.open(sealed(after, A, 0), 0));
        }
        dropped(links(B, 20, one(NEW)).open(sealed(links(A, 10, two(OLD, NEW)), B, 0), 0), Reason.OTHER_SECRET);
    }

    /** What passed from one to the other while both talked, a frame per heartbeat. */
    private static List<byte[]> session(Links from, Links to, NodeId fromId, NodeId toId, int frames) {
        List<byte[]> recorded = new ArrayList<>();
        meet(from, fromId, to, toId, 0);
        for (int i = 0; i < frames; i++) {
            long now = i * HEARTBEAT;
            byte[] frame = sealed(from, toId, now);
            recorded.add(frame);
            accepted(to.open(frame, now));
            accepted(from.open(sealed(to, fromId, now), now));
        }
        return recorded;
    }

    @Test
    void aRecordedSessionGivesNothing() {
        List<byte[]> recorded = session(a, b, A, B, 200);
        long soon = 200 * HEARTBEAT;
        long late = soon + 1000 * SUPPORT;
        recorded.forEach(frame -> dropped(b.open(frame, soon), Reason.STALE_SEQUENCE));
        recorded.forEach(frame -> dropped(b.open(frame, late), Reason.STALE_SEQUENCE));
        recorded.forEach(frame -> dropped(a.open(frame, late), Reason.NOT_FOR_US));
    }

    // No proof of a former life is ever good again: else two recordings could keep a dead peer alive in turns.
    @Test
    void aSessionOfAFormerLifeGivesNothingHoweverLongThePeerIsAway() {
        List<byte[]> former = session(a, b, A, B, 50);
        long later = 50 * HEARTBEAT + 20 * SUPPORT;
        meet(links(A, 9, one(OLD)), A, b, B, later);
        long muchLater = later + 1000 * SUPPORT;
        former.forEach(frame -> dropped(b.open(frame, muchLater), Reason.UNPROVED_LIFE));
    }

    @Test
    void aRestartedReceiverHearsNothingThatWasMeantForItsFormerLife() {
        List<byte[]> recorded = session(a, b, A, B, 200);
        Links restarted = links(B, 19, one(OLD));
        recorded.forEach(frame -> dropped(restarted.open(frame, 0), Reason.OTHER_LIFE_OF_US));
        long later = 200 * HEARTBEAT + SUPPORT;
        meet(a, A, restarted, B, later);
        recorded.forEach(frame -> dropped(restarted.open(frame, later + HEARTBEAT), Reason.OTHER_LIFE_OF_US));
    }

    @Test
    void everyChangedByteIsNoticed() {
        // Without having met: what is changed is dropped before its link is known.
        byte[] frame = sealed(a, B, 0);
        for (int index = 0; index < frame.length; index++) {
            for (int change = 1; change <= 0xff; change++) {
                byte[] changed = frame.clone();
                changed[index] ^= (byte) change;
                assertThat(b.open(changed, 0))
                        .as("byte %d, changed by %d", index, change)
                        .isInstanceOf(Dropped.class);
            }
        }
        for (int length = 0; length < frame.length; length++) {
            assertThat(b.open(Arrays.copyOf(frame, length), 0)).isInstanceOf(Dropped.class);
        }
        assertThat(b.open(Arrays.copyOf(frame, frame.length + 1), 0)).isInstanceOf(Dropped.class);
        assertThat(b.peers()).isZero();
        dropped(b.open(frame, 0), Reason.UNPROVED_LIFE);
    }

    // Changed, cut, lengthened, spliced. None is accepted and none makes the reader throw.
    @Test
    void noChangedFrameIsAccepted() {
        String given = System.getProperty("seed", "");
        long seed = given.isEmpty() ? 42 : Long.parseLong(given);
        Random random = new Random(seed);
        byte[][] good = {sealed(a, B, 0), sealed(a, B, 0), sealed(a, C, 0)};
        for (int i = 0; i < CHANGED; i++) {
            byte[] frame = changed(good, random);
            try {
                assertThat(b.open(frame, i) instanceof Dropped).isTrue();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "frame " + i + " failed with seed=" + seed + "; rerun: mvn test -Dseed=" + seed, e);
            }
        }
        assertThat(b.peers()).isZero();
        assertThat(b.dropped().get(Reason.OTHER_SECRET)).isGreaterThan(CHANGED / 10);
    }

    private static byte[] changed(byte[][] good, Random random) {
        byte[] frame = good[random.nextInt(good.length)].clone();
        switch (random.nextInt(5)) {
            case 0 -> frame = Arrays.copyOf(frame, random.nextInt(frame.length));
            case 1 -> frame = Arrays.copyOf(frame, frame.length + 1 + random.nextInt(40));
            case 2 -> {
                byte[] other = good[(indexOf(good, frame) + 1) % good.length];
                System.arraycopy(other, other.length - 20, frame, frame.length - 20, 20);
            }
            case 3 -> frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
            default -> {
                int from = random.nextInt(frame.length - 2);
                int index = 2 + from;
                frame[index] = (byte) (frame[index] + 1 + random.nextInt(255));
            }
        }
        return frame;
    }

    private static int indexOf(byte[][] good, byte[] frame) {
        for (int i = 0; i < good.length; i++) {
            if (Arrays.equals(good[i], frame)) {
                return i;
            }
        }
        return 0;
    }

    @Test
    void secretsAreLongEnoughAndShowThemselvesNowhere() {
        byte[] tooShort = bytes("hunter2hunter2x");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ClusterSecret.of(tooShort, Optional.empty()))
                .withMessage("secret of 15 bytes: must be at least 16");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ClusterSecret.of(OLD, Optional.of(tooShort)))
                .withMessage("secret of 15 bytes: must be at least 16");
        assertThat(ClusterSecret.isLongEnough(bytes("hunter2hunter2xx"))).isTrue();
        assertThat(one(OLD).orElseThrow()).hasToString("a secret");
        assertThat(two(OLD, NEW).orElseThrow()).hasToString("two secrets");
    }

    // The caller may wipe its array.
    @Test
    void secretsAreCopied() {
        byte[] mine = OLD.clone();
        Optional<ClusterSecret> secret = one(mine);
        Arrays.fill(mine, (byte) 0);
        meet(links(A, 10, secret), A, b, B, 0);
    }
}
