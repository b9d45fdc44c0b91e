package io.quorate.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quorate.spi.MalformedInputException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameReaderTest {

    private static ByteBuffer frames(int... lengths) {
        ByteBuffer bytes = ByteBuffer.allocate(200_000);
        for (int length : lengths) {
            byte[] body = new byte[length];
            Arrays.fill(body, (byte) length);
            Wire.put(bytes, Wire.DATA, body);
        }
        return bytes.flip();
    }

    @Test
    void framesAreCutWhereverTheStreamIs() throws MalformedInputException {
        for (int portion : new int[] {1, 2, 3, 7, 100, 70_000}) {
            FrameReader reader = new FrameReader();
            ByteBuffer stream = frames(0, 1, 300, 65_536, 2);
            List<Integer> lengths = new ArrayList<>();
            while (stream.hasRemaining()) {
                int end = Math.min(stream.limit(), stream.position() + portion);
                reader.append(stream.duplicate().limit(end));
                stream.position(end);
                while (reader.hasFrame(Wire.LENGTH_MAX)) {
                    assertThat(reader.type()).isEqualTo(Wire.DATA);
                    byte[] body = reader.take();
                    for (byte each : body) {
                        assertThat(each).isEqualTo((byte) body.length);
                    }
                    lengths.add(body.length);
                }
            }
            assertThat(lengths).as("portions of %d", portion).containsExactly(0, 1, 300, 65_536, 2);
            assertThat(reader.capacity()).as("an idle connection holds nothing").isZero();
        }
    }

    @Test
    void anAnnouncedLengthReservesNothing() throws MalformedInputException {
        FrameReader reader = new FrameReader();
        reader.append(ByteBuffer.wrap(new byte[] {0, 1, 0, 1, 3}));
        assertThat(reader.hasFrame(Wire.LENGTH_MAX)).isFalse();
        assertThat(reader.capacity()).isLessThanOrEqualTo(10);
        reader.append(ByteBuffer.allocate(1_000));
        assertThat(reader.capacity()).isLessThanOrEqualTo(2_010);
    }

    @Test
    void aWrongLengthIsKnownBeforeTheRestHasCome() {
        for (byte[] wrong : new byte[][] {{0, 0, 0, 0}, {0, 1, 0, 2}, {-128, 0, 0, 0}, {-1, -1, -1, -1}}) {
            FrameReader reader = new FrameReader();
            reader.append(ByteBuffer.wrap(wrong));
            assertThatExceptionOfType(MalformedInputException.class).isThrownBy(() -> reader.hasFrame(Wire.LENGTH_MAX));
        }
    }
}
