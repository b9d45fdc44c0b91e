package io.quorate.bully;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.algorithms.CodecChecks;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.simulation.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The wire form of ELECTION, ALIVE and VICTORY. */
class BullyCodecTest {

    private static final List<Message> MESSAGES = List.of(
            new BullyMessage.Election(0),
            new BullyMessage.Election(300),
            new BullyMessage.Alive(7),
            new BullyMessage.Victory(1),
            new BullyMessage.Victory(WireReader.NUMBER_MAX));

    @Test
    void everyMessageIsReadBackEqual() {
        CodecChecks.assertRoundTrips(new BullyAlgorithm(), MESSAGES);
    }

    @Test
    void mutatedBytesAreRefusedOrAreAMessage() {
        Seeds.each(1, 1, seed -> CodecChecks.assertSurvivesMutations(new BullyAlgorithm(), MESSAGES, seed, 20_000));
    }

    @Test
    void kindAndTermAreCompact() {
        assertThat(CodecChecks.bytes(new BullyMessage.Victory(5))).containsExactly(3, 5);
    }

    // A term that leaves no room for the next one would break term + 1.
    @Test
    void termAboveTheBoundIsRefused() {
        WireWriter out = new WireWriter();
        out.writeByte(3);
        out.writeUnsigned(WireReader.NUMBER_MAX + 1);
        assertThatThrownBy(() -> new BullyAlgorithm().readMessage(new WireReader(out.toBytes())))
                .isInstanceOf(MalformedInputException.class)
                .hasMessageContaining("number 4611686018427387905: must be at most 4611686018427387904");
    }

    @Test
    void unknownKindIsRefused() {
        assertThatThrownBy(() -> new BullyAlgorithm().readMessage(new WireReader(new byte[] {4, 0})))
                .isInstanceOf(MalformedInputException.class)
                .hasMessageContaining("kind 4");
    }
}
