package io.quorate.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The binary form at its edges: what fits is read as it was written, and what does not fit is malformed. */
class WireTest {

    /** A part of a text that a reader takes. */
    @FunctionalInterface
    private interface Part {
        Object read(WireReader in) throws MalformedInputException;
    }

    private final WireWriter out = new WireWriter(1);

    private WireReader in() {
        return new WireReader(out.toBytes());
    }

    private static void assertMalformed(byte[] bytes, Part part, String message) {
        assertThatExceptionOfType(MalformedInputException.class)
                .isThrownBy(() -> part.read(new WireReader(bytes)))
                .withMessage(message);
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "127, 1", "128, 2", "16383, 2", "16384, 3", "4611686018427387903, 9", "4611686018427387904, 9"})
    void aNumberTakesAsManyBytesAsItNeeds(long number, int length) throws MalformedInputException {
        out.writeUnsigned(number);
        assertThat(out.length()).isEqualTo(length);
        WireReader in = in();
        assertThat(in.readUnsigned()).isEqualTo(number);
        in.expectEnd();
    }

    @Test
    void aNumberBeyondTheHighestIsMalformed() {
        assertThat(WireReader.NUMBER_MAX).isEqualTo(4611686018427387904L);
        out.writeUnsigned(WireReader.NUMBER_MAX + 1);
        assertMalformed(
                out.toBytes(),
                WireReader::readUnsigned,
                "number 4611686018427387905: must be at most 4611686018427387904");
        byte[] endless = new byte[20];
        Arrays.fill(endless, (byte) 0x80);
        assertMalformed(endless, WireReader::readUnsigned, "number longer than 63 bits");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> out.writeUnsigned(-1))
                .withMessage("-1: must not be negative");
    }

    @Test
    void aLimitIsTheHighestThatIsRead() throws MalformedInputException {
        out.writeUnsigned(300);
        assertThat(in().readUnsigned(300)).isEqualTo(300);
        assertMalformed(out.toBytes(), in -> in.readUnsigned(299), "number 300: must be at most 299");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 255, 256, 0x0123456789abcdefL, Long.MIN_VALUE, Long.MAX_VALUE})
    void aLongIsEightBytesHighestFirst(long number) throws MalformedInputException {
        out.writeLong(number);
        assertThat(out.length()).isEqualTo(8);
        assertThat(out.at(7)).isEqualTo((byte) number);
        assertThat(in().readLong()).isEqualTo(number);
        assertMalformed(Arrays.copyOf(out.toBytes(), 7), WireReader::readLong, "8 bytes expected, 7 left");
    }

    @Test
    void aByteIsFromZeroTo255AndABooleanIsZeroOrOne() throws MalformedInputException {
        out.writeByte(255);
        out.writeBoolean(true);
        out.writeBoolean(false);
        assertThat(out.toBytes()).isEqualTo(bytes(255, 1, 0));
        WireReader in = in();
        assertThat(in.readByte()).isEqualTo(255);
        assertThat(in.readBoolean()).isTrue();
        assertThat(in.readBoolean()).isFalse();
        assertMalformed(bytes(2), WireReader::readBoolean, "boolean 2: must be 0 or 1");
        assertMalformed(bytes(), WireReader::readByte, "1 bytes expected, 0 left");
    }

    @Test
    void theLimitOfATextCountsItsBytes() throws MalformedInputException {
        out.writeString("\u00e9\u00e9");
        assertThat(out.toBytes()).isEqualTo(bytes(4, 0xc3, 0xa9, 0xc3, 0xa9));
        assertThat(in().readString(4)).isEqualTo("\u00e9\u00e9");
        assertMalformed(out.toBytes(), in -> in.readString(3), "number 4: must be at most 3");
        assertMalformed(bytes(4, 0xc3, 0xa9), in -> in.readString(4), "4 bytes expected, 2 left");
        assertMalformed(bytes(1, 0xc3), in -> in.readString(4), "string that is not UTF-8");
        assertThat(new WireReader(bytes(0)).readString(0)).isEmpty();
    }

    @Test
    void aNodeIdIsReadAsTextAndChecked() throws MalformedInputException {
        out.writeString("node-1");
        assertThat(in().readNodeId()).isEqualTo(new NodeId("node-1"));
        String rule = ": must be 1 to 64 characters out of letters, digits, '.', '_' and '-'";
        assertMalformed(bytes(0), WireReader::readNodeId, "node id ''" + rule);
        assertMalformed(bytes(1, '/'), WireReader::readNodeId, "node id '/'" + rule);
        assertMalformed(bytes(65), WireReader::readNodeId, "number 65: must be at most 64");
    }

    @Test
    void remainingBytesAreCountedAndMustBeRead() throws MalformedInputException {
        out.writeBytes(bytes(7, 8, 9));
        out.writeByte(1);
        WireReader in = in();
        assertThat(in.remaining()).isEqualTo(5);
        assertThat(in.readBytes(3)).isEqualTo(bytes(7, 8, 9));
        assertThat(in.remaining()).isEqualTo(1);
        assertThatExceptionOfType(MalformedInputException.class)
                .isThrownBy(in::expectEnd)
                .withMessage("1 bytes behind the end");
        in.readByte();
        in.expectEnd();
    }

    @Test
    void aReaderOfAPartEndsWithThePart() throws MalformedInputException {
        byte[] whole = bytes(1, 2, 3, 4);
        WireReader in = new WireReader(whole, 1, 2);
        assertThat(in.readByte()).isEqualTo(2);
        assertThat(in.readByte()).isEqualTo(3);
        in.expectEnd();
        assertThatExceptionOfType(MalformedInputException.class).isThrownBy(in::readByte);
        new WireReader(whole, 4, 0).expectEnd();
        new WireReader(whole, 0, 4);
    }

    @ParameterizedTest
    @CsvSource({"-1, 2", "0, -1", "0, 5", "5, 0", "1, 4", "2147483647, 2147483647", "1, 2147483647"})
    void aPartThatIsNotThereIsRefused(int from, int count) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WireReader(new byte[4], from, count))
                .withMessage(count + " bytes from " + from + ": only 4 are there");
    }

    @Test
    void aWriterGrowsAndForgets() {
        byte[] text = "0123456789".repeat(10).getBytes(StandardCharsets.US_ASCII);
        out.writeRaw(text, 10, 5);
        out.writeRaw(text, 0, 100);
        assertThat(out.length()).isEqualTo(105);
        out.truncate(105);
        out.truncate(5);
        assertThat(out.toBytes()).isEqualTo("01234".getBytes(StandardCharsets.US_ASCII));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> out.truncate(6))
                .withMessage("length 6: only 5 were written");
        assertThatIllegalArgumentException().isThrownBy(() -> out.truncate(-1));
        out.truncate(0);
        assertThat(out.length()).isZero();
        out.writeByte(1);
        out.clear();
        assertThat(out.toBytes()).isEmpty();
        assertThat(new WireWriter(-1).toBytes()).isEmpty();
    }

    // Many small pieces, each of which may be the one that no longer fits.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 9, 10, 64})
    void everyKindOfPieceMakesItsRoom(int capacity) throws MalformedInputException {
        WireWriter writer = new WireWriter(capacity);
        for (int i = 0; i < 20; i++) {
            writer.writeByte(i);
            writer.writeLong(i);
            writer.writeUnsigned(WireReader.NUMBER_MAX - i);
            writer.writeBytes(new byte[i]);
        }
        WireReader reader = new WireReader(writer.toBytes());
        for (int i = 0; i < 20; i++) {
            assertThat(reader.readByte()).isEqualTo(i);
            assertThat(reader.readLong()).isEqualTo(i);
            assertThat(reader.readUnsigned()).isEqualTo(WireReader.NUMBER_MAX - i);
            assertThat(reader.readBytes(i)).hasSize(i);
        }
        reader.expectEnd();
    }
}
