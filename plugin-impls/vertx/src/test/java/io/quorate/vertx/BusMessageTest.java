package io.quorate.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What strangers may have written, and what Vert.x does: that one is checked over sockets by the other tests. */
class BusMessageTest {

    private static final int BUFFER = 11;
    private static final int STRING = 9;
    private static final byte[] BODY = {1, 'a', 'x'};

    /** As Vert.x writes it, without the length in front. */
    static byte[] message(int codec, String address, byte... body) {
        ByteBuf out = Unpooled.buffer().writeByte(2).writeByte(codec).writeByte(0);
        text(out, address);
        out.writeInt(0);
        text(out, "sender");
        out.writeInt(4);
        out.writeInt(body.length).writeBytes(body);
        return ByteBufUtil.getBytes(out);
    }

    private static void text(ByteBuf out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length).writeBytes(bytes);
    }

    private static Optional<byte[]> body(byte... message) {
        return BusMessage.body(Unpooled.wrappedBuffer(message), "quorate.a"::equals)
                .map(ByteBufUtil::getBytes);
    }

    @Test
    void theBodyIsFound() {
        assertThat(body(message(BUFFER, "quorate.a", BODY))).contains(BODY);
        assertThat(body(message(BUFFER, "quorate.a"))).contains(new byte[0]);
    }

    @Test
    void messagesForOthersOrOfAnotherKindHaveNone() {
        assertThat(body(message(BUFFER, "quorate.b", BODY))).isEmpty();
        assertThat(body(message(STRING, "quorate.a", BODY))).isEmpty();
        byte[] later = message(BUFFER, "quorate.a", BODY);
        later[0] = 3;
        assertThat(body(later)).isEmpty();
        byte[] longer = message(BUFFER, "quorate.a", BODY);
        assertThat(body(Arrays.copyOf(longer, longer.length + 1))).isEmpty();
    }

    @Test
    void nothingThatIsCutOrChangedThrows() {
        byte[] whole = message(BUFFER, "quorate.a", BODY);
        for (int length = 0; length < whole.length; length++) {
            assertThat(body(Arrays.copyOf(whole, length)))
                    .as("%d bytes", length)
                    .isEmpty();
        }
        Random random = new Random(42);
        for (int i = 0; i < 10_000; i++) {
            byte[] changed = whole.clone();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            body(changed).ifPresent(body -> assertThat(body.length).isLessThan(changed.length));
        }
    }

    /** As Vert.x writes it: the codec of a ping writes no body, and no length of one. */
    @Test
    void aPingIsKnown() {
        byte[] message = message(1, "__vertx_ping");
        byte[] ping = Arrays.copyOf(message, message.length - Integer.BYTES);
        assertThat(isPing(ping)).isTrue();
        for (int length = 0; length < ping.length; length++) {
            assertThat(isPing(Arrays.copyOf(ping, length)))
                    .as("%d bytes", length)
                    .isFalse();
        }
        assertThat(isPing(message(BUFFER, "quorate.a", BODY))).isFalse();
    }

    @Test
    void pongIsOneByte() {
        assertThat(isPong((byte) 1)).isTrue();
        assertThat(isPong((byte) 0)).isFalse();
        assertThat(isPong((byte) 2)).isFalse();
    }

    private static boolean isPong(byte... bytes) {
        return BusMessage.isPong(Unpooled.wrappedBuffer(bytes));
    }

    @Test
    void answersAreReadWhenAllOfThemIsThere() {
        ByteBuf whole = BusMessage.answer(BODY);
        for (int length = 1; length < whole.readableBytes(); length++) {
            ByteBuf part = whole.slice(0, length);
            assertThat(BusMessage.isAnswer(part)).as("%d bytes", length).isTrue();
            assertThat(BusMessage.takeAnswer(part)).as("%d bytes", length).isEmpty();
            assertThat(part.readableBytes()).isEqualTo(length);
        }
        ByteBuf two = Unpooled.wrappedBuffer(BusMessage.answer(BODY), BusMessage.answer(new byte[0]));
        assertThat(BusMessage.takeAnswer(two)).contains(BODY);
        assertThat(BusMessage.takeAnswer(two)).contains(new byte[0]);
        assertThat(two.isReadable()).isFalse();
    }

    @Test
    void answersHaveALength() {
        for (int length : new int[] {-1, Integer.MIN_VALUE, 1025, Integer.MAX_VALUE}) {
            ByteBuf head = Unpooled.buffer().writeByte(2).writeInt(length);
            assertThat(BusMessage.isAnswer(head)).as("%d", length).isFalse();
        }
        assertThat(BusMessage.isAnswer(Unpooled.buffer().writeByte(2).writeInt(1024)))
                .isTrue();
    }

    private static boolean isPing(byte... message) {
        return BusMessage.isPing(Unpooled.wrappedBuffer(message));
    }

    /** Vert.x makes room for each of these lengths before it looks at what is there. */
    @Test
    void aPingWithALengthThatIsNotThereIsNone() {
        byte[] ping = message(1, "__vertx_ping");
        int sender = 3 + Integer.BYTES + "__vertx_ping".length() + Integer.BYTES;
        int headers = sender + Integer.BYTES + "sender".length();
        for (int at : new int[] {3, sender - Integer.BYTES, sender, headers}) {
            byte[] changed = ping.clone();
            changed[at] = 0x7F;
            assertThat(isPing(changed)).as("length at %d", at).isFalse();
        }
    }
}
