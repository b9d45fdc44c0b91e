package io.quorate.threephase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.algorithms.CodecChecks;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.testkit.simulation.Seeds;
import io.quorate.threephase.Priorities.Held;
import io.quorate.threephase.Priorities.Version;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The wire form of all messages. */
class ThreePhaseCodecTest {

    private static final long MAX = WireReader.NUMBER_MAX;
    private static final Priorities LIST = Priorities.of(List.of(5L, -7L, Long.MAX_VALUE));
    private static final Held HELD = new Held(LIST, new Version(4, 300));

    private static final List<Message> MESSAGES = List.of(
            new ThreePhaseMessage.Heartbeat(1, HELD, false),
            new ThreePhaseMessage.Heartbeat(MAX, new Held(Priorities.NONE, new Version(-1, MAX)), true),
            new ThreePhaseMessage.Start(300),
            new ThreePhaseMessage.Ok(7, new TreeSet<>(List.of(0, 2, 200))),
            new ThreePhaseMessage.Ok(MAX, new TreeSet<>()),
            new ThreePhaseMessage.Ack(0),
            new ThreePhaseMessage.Collect(MAX),
            new ThreePhaseMessage.Report(2, HELD, -1),
            new ThreePhaseMessage.AckReport(HELD),
            new ThreePhaseMessage.Leader(new Decision(4, 1), LIST),
            new ThreePhaseMessage.Leader(new Decision(-1, 0), Priorities.NONE),
            new ThreePhaseMessage.LeaderAck(-1),
            new ThreePhaseMessage.LeaderAck(9),
            new ThreePhaseMessage.HeartbeatAck(3));

    @Test
    void everyMessageIsReadBackEqual() {
        CodecChecks.assertRoundTrips(new ThreePhaseAlgorithm(), MESSAGES);
    }

    @Test
    void mutatedBytesAreRefusedOrAreAMessage() {
        Seeds.each(
                1, 1, seed -> CodecChecks.assertSurvivesMutations(new ThreePhaseAlgorithm(), MESSAGES, seed, 20_000));
    }

    @Test
    void messagesAreCompact() {
        assertThat(CodecChecks.bytes(new ThreePhaseMessage.Ok(7, new TreeSet<>(List.of(0, 2)))))
                .containsExactly(3, 7, 2, 0, 2);
    }

    static Stream<byte[]> illegal() {
        return Stream.of(
                CodecChecks.bytes(new ThreePhaseMessage.Start(MAX + 1)),
                CodecChecks.bytes(new ThreePhaseMessage.LeaderAck(MAX)),
                // Lists that do not ascend, or announce more than there can be.
                new byte[] {3, 7, 2, 2, 0},
                new byte[] {3, 7, 2, 2, 2},
                new byte[] {3, 7, (byte) 0x81, (byte) 0x80, 4, 0},
                new byte[] {8, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0},
                new byte[] {8, 0, 0, (byte) 0xff, (byte) 0xff, (byte) 0x7f},
                new byte[] {11, 0},
                new byte[] {0});
    }

    @ParameterizedTest
    @MethodSource("illegal")
    void messageThatMakesNoSenseIsRefused(byte[] bytes) {
        assertThatThrownBy(() -> new ThreePhaseAlgorithm().readMessage(new WireReader(bytes)))
                .isInstanceOf(MalformedInputException.class);
    }
}
