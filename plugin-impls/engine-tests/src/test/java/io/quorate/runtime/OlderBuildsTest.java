package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.step.NodeEvent;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.LocalNetwork;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Frames of an older build, in which a voter asks for other lives of its id while it is in its quarantine. */
class OlderBuildsTest {

    private static final long MILLI = 1_000_000;
    private static final String HEARTBEAT = "0101010000010080000000000000000000";
    private static final String INQUIRY = "04";
    private static final String HEARD = "05808080808080808040";
    private static final String GOODBYE = "07";

    private final Drivers drivers = new Drivers(2);
    private final NodeId n1 = drivers.id(1);
    private final NodeId n2 = drivers.id(2);
    private final LocalNetwork network = drivers.network;
    private final List<Throwable> harm = new ArrayList<>();
    private final List<byte[]> toOlder = new ArrayList<>();
    private final Links older = new Links("test", n1, 7, 25 * MILLI, 500 * MILLI, List.of(), Optional.empty());
    private final Post post = new Post(
            drivers.settings(n2),
            Optional.empty(),
            new HighestUp(),
            network.transport(n2),
            2,
            LoggerFactory.getLogger(Post.class),
            harm::add);

    /** The two have shown each other that they live. */
    @BeforeEach
    void meet() {
        network.transport(n1).start((from, frame) -> toOlder.add(frame));
        hear(GOODBYE, 0);
        DecodedFrame.Accepted question = (DecodedFrame.Accepted) older.open(toOlder.remove(0), 0);
        assertThat(open(older.answer(question), 0)).containsExactly(new Goodbye());
        post.acknowledge(100 * MILLI);
        toOlder.forEach(frame -> older.open(frame, 100 * MILLI));
        toOlder.clear();
    }

    private List<NodeMessage> hear(String body, long now) {
        byte[] bytes = HexFormat.of().parseHex(body);
        return open(older.seal(n2, bytes, bytes.length, now).orElseThrow(), now);
    }

    private List<NodeMessage> open(byte[] frame, long now) {
        List<NodeMessage> messages = new ArrayList<>();
        Checked.Passed passed = (Checked.Passed) post.entrance().check(Optional.empty(), frame);
        post.open(passed, new Transport.Standing(), now, event -> add(event, messages))
                .ifPresent(rest -> post.handle(rest, now, event -> add(event, messages)));
        return messages;
    }

    private static void add(NodeEvent event, List<NodeMessage> messages) {
        messages.add(((NodeEvent.Received) event).message());
    }

    @Test
    void questionsAndTheirAnswersAreIgnoredAndTheOtherMessagesAreNot() {
        Heartbeat heartbeat = new Heartbeat(1, 0, 1, Optional.empty(), false, true, 0, Long.MIN_VALUE, false, -1);
        String before = post.dropped();
        try (CapturedLog log = new CapturedLog()) {
            assertThat(hear(HEARTBEAT + INQUIRY, 101 * MILLI)).containsExactly(heartbeat);
            assertThat(hear(HEARTBEAT + INQUIRY + GOODBYE, 102 * MILLI)).containsExactly(heartbeat, new Goodbye());
            assertThat(hear(HEARD + GOODBYE + HEARD, 103 * MILLI)).containsExactly(new Goodbye());
            assertThat(log.lines()).isEmpty();
        }
        assertThat(post.dropped()).isEqualTo(before);
        assertThat(harm).isEmpty();
    }

    // Else the older build would take this node for silent.
    @ParameterizedTest
    @ValueSource(strings = {INQUIRY, HEARD})
    void framesThatHoldNothingElseAreAcknowledged(String body) {
        assertThat(hear(body, 101 * MILLI)).isEmpty();
        post.acknowledge(200 * MILLI);
        assertThat(toOlder).hasSize(1);
    }
}
