package io.quorate.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.tcp.Wire.Answer;
import io.quorate.tcp.Wire.Hello;
import io.quorate.tcp.Wire.Welcome;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WireTest {

    private static final Hello LONGEST = new Hello(
            1,
            255,
            "c".repeat(64),
            new NodeId("f".repeat(64)),
            new NodeId("t".repeat(64)),
            Long.MIN_VALUE,
            Optional.of(new HostAndPort("h".repeat(253), 65_535)),
            true,
            Long.MAX_VALUE);

    private static final Hello OF_NOWHERE =
            new Hello(2, 2, "c", new NodeId("f"), new NodeId("t"), 0, Optional.empty(), false, 0);

    @Test
    void greetingsSurviveTheWire() throws MalformedInputException {
        assertThat(Hello.read(LONGEST.toBytes())).isEqualTo(LONGEST);
        assertThat(Hello.read(OF_NOWHERE.toBytes())).isEqualTo(OF_NOWHERE);
        for (Answer answer : Answer.values()) {
            Welcome welcome = new Welcome(answer, 1, -7, "mine", "yours", 7);
            assertThat(Welcome.read(welcome.toBytes())).isEqualTo(welcome);
        }
    }

    // Older builds speak like that.
    @Test
    void greetingsMayEndBeforeTheLife() throws MalformedInputException {
        byte[] hello = OF_NOWHERE.toBytes();
        assertThat(Hello.read(Arrays.copyOf(hello, hello.length - Long.BYTES))).isEqualTo(OF_NOWHERE);
        Welcome welcome = new Welcome(Answer.BUSY, 0, -7, "", "", 0);
        byte[] bytes = welcome.toBytes();
        assertThat(Welcome.read(Arrays.copyOf(bytes, bytes.length - Long.BYTES)))
                .isEqualTo(welcome);
    }

    @Test
    void theLongestHelloIsShortEnough() {
        assertThat(LONGEST.toBytes()).hasSizeLessThanOrEqualTo(Wire.GREETING_MAX);
    }

    @Test
    void everyPrefixAndEveryFlippedByteIsReadOrMalformed() {
        byte[] whole = LONGEST.toBytes();
        int withoutLife = whole.length - Long.BYTES;
        for (int length = 0; length < whole.length; length += length + 1 == withoutLife ? 2 : 1) {
            byte[] prefix = Arrays.copyOf(whole, length);
            assertThatExceptionOfType(MalformedInputException.class).isThrownBy(() -> Hello.read(prefix));
        }
        for (int i = 0; i < whole.length; i++) {
            byte[] flipped = whole.clone();
            flipped[i] ^= (byte) 0xff;
            try {
                assertThat(Hello.read(flipped)).isNotEqualTo(LONGEST);
            } catch (MalformedInputException e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
        assertThatExceptionOfType(MalformedInputException.class).isThrownBy(() -> Welcome.read(new byte[] {99}));
    }
}
