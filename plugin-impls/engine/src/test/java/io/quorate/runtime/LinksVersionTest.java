package io.quorate.runtime;

import static io.quorate.runtime.Handshake.meet;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.runtime.DecodedFrame.Accepted;
import io.quorate.runtime.DecodedFrame.Dropped;
import io.quorate.runtime.DecodedFrame.Reason;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** docs/protocol.md#wire-versions: which version of frames is spoken with a peer, shown with a next one, made up. */
class LinksVersionTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final long HEARTBEAT = 100_000_000L;
    private static final long SUPPORT = 1_000_000_000L;
    private static final byte[] BODY = {1, 2, 3};

    private static final int NOW = WireVersions.OURS.newest();
    private static final int NEXT = NOW + 1;
    /** Of the release after this one. */
    private static final WireVersions BOTH = new WireVersions(NOW, NEXT);

    private static Links links(NodeId self, long incarnation, WireVersions versions) {
        return links(self, incarnation, versions, Optional.empty());
    }

    private static Links links(NodeId self, long incarnation, WireVersions versions, Optional<ClusterSecret> secret) {
        return new Links("cluster", self, incarnation, HEARTBEAT, SUPPORT, List.of(A, B), secret, versions);
    }

    private static byte[] sealed(Links from, NodeId to, long now) {
        return from.seal(to, BODY, BODY.length, now).orElseThrow();
    }

    /** A frame that arrives; answers its version. */
    private static int say(Links from, NodeId idOfFrom, Links to, long now) {
        byte[] frame = sealed(from, idOfFrom.equals(A) ? B : A, now);
        assertThat(to.open(frame, now)).isInstanceOf(Accepted.class);
        return frame[1];
    }

    private static Dropped dropped(DecodedFrame opened) {
        assertThat(opened).isInstanceOf(Dropped.class);
        return (Dropped) opened;
    }

    @Test
    void twoSpeakTheHighestVersionThatBothSpeak() {
        Links a = links(A, 10, BOTH);
        Links b = links(B, 20, BOTH);
        assertThat(sealed(a, B, 0)[1]).as("nothing is known").isEqualTo((byte) NOW);
        meet(a, A, b, B, 0);
        assertThat(say(b, B, a, 0)).isEqualTo(NEXT);
        assertThat(say(a, A, b, 0)).isEqualTo(NEXT);
    }

    // Whom it is for may not know this life, and be of an older release.
    @Test
    void lifeIsAskedForInTheOldestVersion() {
        Links a = links(A, 10, BOTH);
        meet(links(B, 20, BOTH), B, a, A, 0);
        Links old = links(B, 21, WireVersions.OURS);
        byte[] asked = Handshake.hear(a, sealed(old, A, 0), 0).answer().orElseThrow();
        assertThat(asked[1]).isEqualTo((byte) NOW);
        assertThat(old.open(asked, 0)).isInstanceOf(Accepted.class);
    }

    @Test
    void anOlderReleaseIsSpokenToInWhatItReads() {
        Links a = links(A, 10, BOTH);
        Links old = links(B, 20, WireVersions.OURS);
        meet(a, A, old, B, 0);
        for (int i = 0; i < 3; i++) {
            assertThat(say(a, A, old, i)).isEqualTo(NOW);
            assertThat(say(old, B, a, i)).isEqualTo(NOW);
        }
    }

    @Test
    void aNewLifeSpeaksWhatItSays() {
        Links a = links(A, 10, BOTH);
        meet(links(B, 20, BOTH), B, a, A, 0);
        meet(links(B, 21, WireVersions.OURS), B, a, A, SUPPORT);
        assertThat(sealed(a, B, SUPPORT)[1]).isEqualTo((byte) NOW);
        meet(links(B, 19, BOTH), B, a, A, 2 * SUPPORT);
        assertThat(sealed(a, B, 2 * SUPPORT)[1]).isEqualTo((byte) NEXT);
    }

    // It may be back in an older version, and one that only answers would never hear a frame that it can read.
    @Test
    void aPeerThatDoesNotAnswerIsSpokenToInTheOldestVersion() {
        Links a = links(A, 10, BOTH);
        meet(links(B, 20, BOTH), B, a, A, 0);
        assertThat(sealed(a, B, 0)[1]).isEqualTo((byte) NEXT);
        assertThat(sealed(a, B, 2 * HEARTBEAT)[1]).isEqualTo((byte) NEXT);
        assertThat(sealed(a, B, 2 * HEARTBEAT + 1)[1]).isEqualTo((byte) NOW);
    }

    // A process that is refused may be of an older release.
    @Test
    void secondProcessIsRefusedInTheOldestVersion() {
        Links a = links(A, 10, BOTH);
        meet(links(B, 20, BOTH), B, a, A, 0);
        Links second = links(B, 21, WireVersions.OURS);
        byte[] refusal = a.refusal(dropped(a.open(sealed(second, A, 0), 0)), 0).orElseThrow();
        assertThat(refusal[1]).isEqualTo((byte) NOW);
        assertThat(second.open(refusal, 0)).isInstanceOf(Accepted.class);
        assertThat(sealed(a, B, 0)[1]).as("to the one that is heard").isEqualTo((byte) NEXT);
    }

    @Test
    void versionsThatNobodySpeaksAreDropped() {
        for (int version = 0; version < 256; version++) {
            Links a = links(A, 10, BOTH);
            sealed(a, B, 0);
            byte[] frame = new Envelope(B, A, 20, 10, 1, 1, version, Envelope.SPEAKS_MAX, Envelope.Kind.MESSAGES)
                    .write("cluster", BODY, BODY.length, null);
            DecodedFrame opened = a.open(frame, 0);
            if (BOTH.has(version)) {
                assertThat(opened).isInstanceOf(Accepted.class);
                assertThat(sealed(a, B, 0)[1]).as("to one that speaks more").isEqualTo((byte) NEXT);
            } else {
                assertThat(dropped(opened).reason()).isEqualTo(Reason.OTHER_VERSION);
                assertThat(dropped(opened).theirs()).isEqualTo(Integer.toString(version));
            }
        }
        byte[] liar = new Envelope(B, A, 20, 0, 1, 0, NEXT, NOW, Envelope.Kind.MESSAGES)
                .write("cluster", BODY, BODY.length, null);
        assertThat(dropped(links(A, 10, BOTH).open(liar, 0)).reason()).isEqualTo(Reason.MALFORMED);
    }

    @Test
    void underASecretNobodyChangesTheVersionOfAFrame() {
        Optional<ClusterSecret> secret = Optional.of(
                ClusterSecret.of("a secret of the cluster".getBytes(StandardCharsets.UTF_8), Optional.empty()));
        Links from = links(A, 10, BOTH, secret);
        Links to = links(B, 20, BOTH, secret);
        meet(to, B, from, A, 0);
        byte[] frame = sealed(from, B, 0);
        for (int at = 0; at < frame.length; at++) {
            byte[] changed = frame.clone();
            changed[at] ^= 1;
            assertThat(to.open(changed, 0)).as("byte " + at).isInstanceOf(Dropped.class);
        }
        byte[] lowered = frame.clone();
        lowered[1] = (byte) NOW;
        assertThat(dropped(to.open(lowered, 0)).reason()).isEqualTo(Reason.OTHER_SECRET);
        assertThat(to.open(frame, 0)).isInstanceOf(Accepted.class);
    }

    @Test
    void aRangeIsWrittenAsItIsRead() {
        assertThat(BOTH).hasToString(NOW + " to " + NEXT);
        assertThat(WireVersions.OURS).hasToString(Integer.toString(NOW));
    }
}
