package io.quorate.lcr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.algorithms.CodecChecks;
import io.quorate.lcr.LcrMessage.Probe;
import io.quorate.lcr.LcrMessage.Selected;
import io.quorate.ring.Attempt;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.testkit.simulation.Seeds;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The wire form of PROBE and SELECTED. */
class LcrCodecTest {

    private static final long MAX = WireReader.NUMBER_MAX;
    private static final int LAST = LcrMessage.PROCESS_MAX;

    private static final List<Message> MESSAGES = List.of(
            new Probe(0, Attempt.NONE, 0, 0),
            new Probe(2, new Attempt(1, 300), 7, 3),
            new Probe(LAST, new Attempt(MAX, MAX), MAX, LAST),
            new Selected(0, 0, 0, 0),
            new Selected(4, 3, 300, 2),
            new Selected(LAST, MAX, MAX, LAST));

    @Test
    void everyMessageIsReadBackEqual() {
        CodecChecks.assertRoundTrips(new LcrAlgorithm(), MESSAGES);
    }

    @Test
    void mutatedBytesAreRefusedOrAreAMessage() {
        Seeds.each(1, 1, seed -> CodecChecks.assertSurvivesMutations(new LcrAlgorithm(), MESSAGES, seed, 20_000));
    }

    @Test
    void messagesAreCompact() {
        assertThat(CodecChecks.bytes(new Probe(2, new Attempt(1, 4), 5, 3))).containsExactly(1, 2, 1, 4, 5, 3);
        assertThat(CodecChecks.bytes(new Selected(2, 5, 6, 3))).containsExactly(2, 2, 5, 6, 3);
    }

    static Stream<Message> illegal() {
        return Stream.of(
                new Probe(LAST + 1, Attempt.NONE, 0, 0),
                new Probe(0, new Attempt(MAX + 1, 0), 0, 0),
                new Probe(0, new Attempt(0, MAX + 1), 0, 0),
                new Probe(0, Attempt.NONE, MAX + 1, 0),
                new Probe(0, Attempt.NONE, 0, LAST + 1),
                new Selected(LAST + 1, 0, 0, 0),
                new Selected(0, MAX + 1, 0, 0),
                new Selected(0, 0, MAX + 1, 0),
                new Selected(0, 0, 0, LAST + 1));
    }

    // Numbers that could overflow when 1 is added, process numbers out of all bounds.
    @ParameterizedTest
    @MethodSource("illegal")
    void messageThatMakesNoSenseIsRefused(Message message) {
        assertThatThrownBy(() -> new LcrAlgorithm().readMessage(new WireReader(CodecChecks.bytes(message))))
                .isInstanceOf(MalformedInputException.class)
                .hasMessageContaining("must be at most");
    }

    @Test
    void unknownKindIsRefused() {
        assertThatThrownBy(() -> new LcrAlgorithm().readMessage(new WireReader(new byte[] {3, 0, 0, 0, 0})))
                .isInstanceOf(MalformedInputException.class)
                .hasMessageContaining("kind 3");
    }
}
