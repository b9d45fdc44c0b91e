package io.quorate.ballot;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.algorithms.CodecChecks;
import io.quorate.ballot.BallotMessage.Reply;
import io.quorate.ballot.BallotMessage.Request;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.testkit.simulation.Seeds;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The wire form of HEARTBEATREQUEST and HEARTBEATREPLY. */
class BallotCodecTest {

    private static final long MAX = WireReader.NUMBER_MAX;
    private static final Mark FIRST = new Mark(0, 0, 0);
    private static final Mark LARGE = new Mark(MAX, BallotMessage.PROCESS_MAX - 1, MAX);

    private static final List<Message> MESSAGES = List.of(
            new Request(1, FIRST, 1),
            new Request(MAX, LARGE, MAX),
            new Reply(3, FIRST, 0, Mark.NONE, true),
            new Reply(300, LARGE, 1, FIRST, false),
            new Reply(MAX, LARGE, MAX, LARGE, true));

    @Test
    void everyMessageIsReadBackEqual() {
        CodecChecks.assertRoundTrips(new BallotAlgorithm(), MESSAGES);
    }

    @Test
    void mutatedBytesAreRefusedOrAreAMessage() {
        Seeds.each(1, 1, seed -> CodecChecks.assertSurvivesMutations(new BallotAlgorithm(), MESSAGES, seed, 20_000));
    }

    static Stream<Message> illegal() {
        return Stream.of(
                new Request(MAX + 1, FIRST, 1),
                new Request(1, FIRST, MAX + 1),
                new Request(1, new Mark(MAX + 1, 0, 0), 1),
                new Request(1, new Mark(0, 0, MAX + 1), 1),
                new Request(1, new Mark(0, BallotMessage.PROCESS_MAX, 0), 1),
                new Request(1, Mark.NONE, 1),
                new Request(1, new Mark(1, -1, 0), 1),
                new Reply(1, Mark.NONE, 1, FIRST, true),
                new Reply(1, FIRST, 1, new Mark(1, -1, 0), true));
    }

    // Numbers that could overflow, process numbers out of all bounds, ballots of nobody.
    @ParameterizedTest
    @MethodSource("illegal")
    void messageThatMakesNoSenseIsRefused(Message message) {
        assertThatThrownBy(() -> new BallotAlgorithm().readMessage(new WireReader(CodecChecks.bytes(message))))
                .isInstanceOf(MalformedInputException.class);
    }

    @Test
    void unknownKindIsRefused() {
        assertThatThrownBy(() -> new BallotAlgorithm().readMessage(new WireReader(new byte[] {3, 0, 1, 0, 0, 0})))
                .isInstanceOf(MalformedInputException.class)
                .hasMessageContaining("kind 3");
    }
}
