package io.quorate.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class AdmissionTest {

    private static final long SECOND = 1_000_000_000;
    private static final InetAddress LOOPBACK = address(127, 0, 0, 1);
    private static final InetAddress STRANGER = address(10, 0, 0, 1);

    private final Admission admission = new Admission(() -> 2, 0);

    private static InetAddress address(int... parts) {
        try {
            return InetAddress.getByAddress(
                    new byte[] {(byte) parts[0], (byte) parts[1], (byte) parts[2], (byte) parts[3]});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** How many of so many connections are accepted, each of which says at once who it is. */
    private int accepted(InetAddress from, int count, long now) {
        int accepted = 0;
        for (int i = 0; i < count; i++) {
            if (admission.enter(from, false, now)) {
                admission.leave(from, false);
                accepted++;
            }
        }
        return accepted;
    }

    @Test
    void anAddressHasARate() {
        assertThat(accepted(STRANGER, 50, 0)).isEqualTo(20);
        assertThat(accepted(STRANGER, 50, SECOND / 2)).isEqualTo(10);
        assertThat(accepted(STRANGER, 50, 100 * SECOND))
                .as("not more than a second's")
                .isEqualTo(20);
        assertThat(accepted(LOOPBACK, 50, 100 * SECOND)).isEqualTo(20);
    }

    @Test
    void allAddressesTogetherHaveARate() {
        int accepted = 0;
        for (int i = 0; i < 20; i++) {
            accepted += accepted(address(10, 0, 1, i), 20, 0);
        }
        assertThat(accepted).isEqualTo(100);
    }

    @Test
    void veryManyAddressesAreForgotten() {
        for (int second = 0; second < 100; second++) {
            int accepted = 0;
            for (int i = 0; i < 2_000; i++) {
                accepted += accepted(address(10, second, i / 250, i % 250), 1, second * SECOND);
            }
            assertThat(accepted).isEqualTo(100);
        }
    }

    @Test
    void twoOfAnAddressMayKeepSilentButPeersAndLoopbackMore() {
        assertThat(admission.enter(STRANGER, false, 0)).isTrue();
        assertThat(admission.enter(STRANGER, false, 0)).isTrue();
        assertThat(admission.enter(STRANGER, false, 0)).isFalse();
        assertThat(admission.enter(STRANGER, true, 0))
                .as("where a peer was found")
                .isTrue();
        for (int i = 0; i < 5; i++) {
            assertThat(admission.enter(LOOPBACK, false, 0)).isTrue();
        }
        admission.leave(STRANGER, false);
        admission.leave(STRANGER, false);
        assertThat(admission.enter(STRANGER, false, 0)).isTrue();
    }

    // 16, and 4 for each of 2 peers.
    @Test
    void soManyStrangersMayKeepSilentAndTakeNoRoomFromPeers() {
        int accepted = 0;
        for (int i = 0; i < 50; i++) {
            accepted += admission.enter(address(10, 0, 2, i), false, 0) ? 1 : 0;
        }
        assertThat(accepted).isEqualTo(16);
        for (int i = 0; i < 8; i++) {
            assertThat(admission.enter(address(10, 0, 3, i % 2), true, 0))
                    .as("peer %d", i)
                    .isTrue();
        }
        assertThat(admission.enter(address(10, 0, 3, 0), true, 0)).isFalse();
        admission.leave(address(10, 0, 3, 0), true);
        assertThat(admission.enter(LOOPBACK, false, 0)).isFalse();
        admission.leave(address(10, 0, 2, 0), false);
        assertThat(admission.enter(STRANGER, false, 0)).isTrue();
    }

    // The rate of all is that of strangers: they cannot keep a peer away that comes back.
    @Test
    void strangersTakeNoRateFromPeers() {
        for (int i = 0; i < 3_000; i++) {
            accepted(address(10, 1, i / 250, i % 250), 1, 0);
        }
        assertThat(admission.enter(address(10, 0, 3, 0), true, 0)).isTrue();
    }

    @Test
    void anAddressIsShutOutForAMinuteUnlessAPeerIsThere() {
        admission.shut(STRANGER, 0);
        assertThat(accepted(STRANGER, 1, 60 * SECOND - 1)).isZero();
        assertThat(accepted(address(10, 0, 0, 2), 1, 0)).as("another address").isOne();
        assertThat(admission.enter(STRANGER, true, 0))
                .as("where a peer was found")
                .isTrue();
        admission.leave(STRANGER, true);
        assertThat(accepted(STRANGER, 1, 60 * SECOND)).isOne();
    }

    // What is kept has a bound, and what is kept no more makes room.
    @Test
    void ofVeryManyAddressesTheFirstAreShutOut() {
        for (int i = 0; i < 2_000; i++) {
            admission.shut(address(10, 2, i / 250, i % 250), 0);
        }
        assertThat(accepted(address(10, 2, 0, 0), 1, SECOND)).isZero();
        assertThat(accepted(address(10, 2, 7, 249), 1, SECOND)).isOne();
        admission.shut(STRANGER, 61 * SECOND);
        assertThat(accepted(STRANGER, 1, 62 * SECOND)).isZero();
    }
}
