package io.quorate.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Checks of the wire form of an algorithm's messages. */
public final class CodecChecks {

    private CodecChecks() {}

    /** The bytes of a message. */
    public static byte[] bytes(Message message) {
        WireWriter out = new WireWriter();
        message.writeTo(out);
        return out.toBytes();
    }

    /** Each message is read back equal; with a byte less or more it is refused. */
    public static void assertRoundTrips(ElectionAlgorithm algorithm, List<Message> messages) {
        for (Message message : messages) {
            byte[] bytes = bytes(message);
            assertThat(read(algorithm, bytes)).isEqualTo(message);
            for (int length = 0; length < bytes.length; length++) {
                assertThat(read(algorithm, Arrays.copyOf(bytes, length)))
                        .as("%d bytes of %s", length, message)
                        .isNull();
            }
            assertThat(read(algorithm, Arrays.copyOf(bytes, bytes.length + 1)))
                    .as("a byte behind %s", message)
                    .isNull();
        }
    }

    /**
     * Mutates, cuts and extends the bytes of the messages at random: each result is refused, or is a message that is
     * written and read back equal. Nothing but {@link MalformedInputException} may be thrown.
     */
    public static void assertSurvivesMutations(
            ElectionAlgorithm algorithm, List<Message> messages, long seed, int count) {
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < count; i++) {
            byte[] mutated = mutate(bytes(messages.get(random.nextInt(messages.size()))), random);
            Message read = read(algorithm, mutated);
            if (read == null) {
                refused++;
            } else {
                assertThat(read(algorithm, bytes(read)))
                        .as("from %s", Arrays.toString(mutated))
                        .isEqualTo(read);
            }
        }
        // Otherwise the mutations would be too tame or too wild to say anything.
        assertThat(refused).isBetween(count / 10, count * 99 / 100);
    }

    private static byte[] mutate(byte[] bytes, Random random) {
        int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 4) : bytes.length;
        byte[] mutated = Arrays.copyOf(bytes, length);
        for (int flips = random.nextInt(4); flips > 0 && length > 0; flips--) {
            mutated[random.nextInt(length)] = (byte) (random.nextBoolean() ? random.nextInt(8) : random.nextInt());
        }
        return mutated;
    }

    /** The message, or null if it is refused in the one allowed way. */
    private static Message read(ElectionAlgorithm algorithm, byte[] bytes) {
        try {
            return algorithm.readMessage(new WireReader(bytes));
        } catch (MalformedInputException e) {
            return null;
        }
    }
}
