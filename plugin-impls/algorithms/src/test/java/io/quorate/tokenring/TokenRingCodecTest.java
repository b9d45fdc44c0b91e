package io.quorate.tokenring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.algorithms.CodecChecks;
import io.quorate.ring.Attempt;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.testkit.simulation.Seeds;
import io.quorate.tokenring.TokenRingMessage.Coordinator;
import io.quorate.tokenring.TokenRingMessage.Election;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The wire form of ELECTION and COORDINATOR. */
class TokenRingCodecTest {

    private static final long MAX = WireReader.NUMBER_MAX;
    private static final int LAST = TokenRingMessage.PROCESS_MAX;
    private static final Victory FIRST = new Victory(1, 2, 0);

    private static final List<Message> MESSAGES = List.of(
            new Election(List.of(), Attempt.NONE, 0),
            new Election(List.of(2, 0, 1), new Attempt(1, 300), 7),
            new Election(IntStream.range(0, 200).boxed().toList(), new Attempt(MAX, MAX), MAX),
            new Coordinator(Victory.NONE, List.of(), List.of()),
            new Coordinator(FIRST, List.of(2, 0), List.of(0)),
            new Coordinator(new Victory(MAX, LAST - 1, LAST - 1), List.of(LAST), List.of(LAST, 1)));

    @Test
    void everyMessageIsReadBackEqual() {
        CodecChecks.assertRoundTrips(new TokenRingAlgorithm(), MESSAGES);
    }

    @Test
    void mutatedBytesAreRefusedOrAreAMessage() {
        Seeds.each(1, 1, seed -> CodecChecks.assertSurvivesMutations(new TokenRingAlgorithm(), MESSAGES, seed, 20_000));
    }

    @Test
    void messagesAreCompact() {
        assertThat(CodecChecks.bytes(new Election(List.of(2, 0), new Attempt(1, 4), 5)))
                .containsExactly(1, 2, 2, 0, 1, 4, 5);
        assertThat(CodecChecks.bytes(new Coordinator(FIRST, List.of(2, 0), List.of(0))))
                .containsExactly(2, 1, 3, 1, 2, 2, 0, 1, 0);
    }

    static Stream<Message> illegal() {
        return Stream.of(
                new Election(List.of(LAST + 1), Attempt.NONE, 0),
                new Election(List.of(), new Attempt(MAX + 1, 0), 0),
                new Election(List.of(), new Attempt(0, MAX + 1), 0),
                new Election(List.of(), Attempt.NONE, MAX + 1),
                new Coordinator(new Victory(MAX + 1, 0, 0), List.of(), List.of()),
                new Coordinator(new Victory(0, LAST, 0), List.of(), List.of()),
                new Coordinator(new Victory(0, 0, LAST), List.of(), List.of()),
                new Coordinator(FIRST, List.of(LAST + 1), List.of()),
                new Coordinator(FIRST, List.of(), List.of(LAST + 1)));
    }

    // Numbers that could overflow when 1 is added, process numbers out of all bounds.
    @ParameterizedTest
    @MethodSource("illegal")
    void messageThatMakesNoSenseIsRefused(Message message) {
        assertThatThrownBy(() -> new TokenRingAlgorithm().readMessage(new WireReader(CodecChecks.bytes(message))))
                .isInstanceOf(MalformedInputException.class)
                .hasMessageContaining("must be at most");
    }

    // The reader must not make room for what is only announced, nor read on for ever.
    @Test
    void listThatIsLongerThanTheInputIsRefused() {
        assertThatThrownBy(() -> new TokenRingAlgorithm().readMessage(new WireReader(new byte[] {1, -1, -1, 3, 0, 0})))
                .isInstanceOf(MalformedInputException.class)
                .hasMessageContaining("0 left");
        assertThatThrownBy(() -> new TokenRingAlgorithm().readMessage(new WireReader(new byte[] {1, -1, -1, 127, 0})))
                .isInstanceOf(MalformedInputException.class)
                .hasMessageContaining("must be at most");
    }

    @Test
    void unknownKindIsRefused() {
        assertThatThrownBy(() -> new TokenRingAlgorithm().readMessage(new WireReader(new byte[] {3, 0, 0, 0, 0})))
                .isInstanceOf(MalformedInputException.class)
                .hasMessageContaining("kind 3");
    }
}
