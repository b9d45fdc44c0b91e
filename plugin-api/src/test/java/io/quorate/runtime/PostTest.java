package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.NodeEvent;
import io.quorate.core.NodeMessage;
import io.quorate.core.NodeSettings;
import io.quorate.spi.NodeId;
import io.quorate.testkit.HighestUp;
import io.quorate.testkit.LocalNetwork;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages share frames, and one that no frame can carry takes nothing else with it. */
class PostTest {

    private static final NodeMessage SMALL = new NodeMessage.Inquiry();

    private final Drivers drivers = new Drivers(2);
    private final LocalNetwork network = drivers.network;
    private final Post sender = post(1);
    private final Post receiver = post(2);
    private final List<Integer> frames = new ArrayList<>();
    private final List<NodeMessage> arrived = new ArrayList<>();

    private Post post(int number) {
        NodeSettings settings = drivers.settings(drivers.id(number));
        return new Post(settings, new HighestUp(), network.transport(drivers.id(number)), number);
    }

    @BeforeEach
    void listen() {
        network.transport(drivers.id(2)).start(frame -> {
            frames.add(frame.length);
            receiver.open(frame, 0, event -> arrived.add(((NodeEvent.Received) event).message()));
        });
    }

    private void add(NodeMessage message) {
        sender.add(drivers.id(2), message, 0);
    }

    /** A list of live nodes of this length. */
    private static NodeMessage ack(int nodes) {
        return new NodeMessage.Ack(1, 1, MessageSamples.EPOCH, 1, 1,
                Optional.of(Collections.nCopies(nodes, new NodeId("n".repeat(NodeId.LENGTH_MAX)))));
    }

    @Test
    void messagesShareAFrameUntilItIsFull() {
        for (int i = 0; i < 5; i++) {
            add(SMALL);
        }
        assertThat(frames).isEmpty();
        sender.flush(0);
        assertThat(frames).hasSize(1);
        assertThat(arrived).hasSize(5).containsOnly(SMALL);
        add(ack(400));
        assertThat(frames).as("a full frame does not wait").hasSize(2);
        sender.flush(0);
        assertThat(frames).as("nothing is left").hasSize(2);
    }

    @Test
    void messageThatFitsIntoNoFrameIsCountedAndTheOthersArrive() {
        add(SMALL);
        add(ack(1_100));
        add(new NodeMessage.Elect(1, 1, 0, 1, false, out -> {
            throw new IllegalStateException("broken");
        }));
        add(SMALL);
        sender.flush(0);
        assertThat(arrived).containsExactly(SMALL, SMALL);
        assertThat(sender.dropped()).contains("fit into no frame 2");
    }

    // A frame is taken as a whole or not at all.
    @Test
    void bodyThatIsMalformedInPartGivesNothing() {
        Links links = new Links("test", drivers.id(1), 7, 1, 4, List.of());
        byte[] body = {4, 4, 99};
        receiver.open(links.seal(drivers.id(2), body, body.length, 0).orElseThrow(), 0, event -> {
            throw new AssertionError(event);
        });
        assertThat(receiver.dropped()).contains("1 with a malformed body");
    }

    // Whoever finds no room is dropped; that is no secret, and no flood of lines either.
    @Test
    void nodesForWhichThereIsNoRoomAreToldOfOnceAMinute() {
        PrintStream original = System.err;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
        try {
            for (int second = 0; second < 90; second++) {
                for (int i = 0; i < Links.PEERS_MAX + 2; i++) {
                    NodeId stranger = new NodeId("s" + i);
                    byte[] frame = new Links("test", stranger, 1 + second, 1, 4, List.of())
                            .seal(drivers.id(2), new byte[] {99}, 1, 0).orElseThrow();
                    receiver.open(frame, second * 1_000_000_000L, event -> { });
                }
            }
        } finally {
            System.setErr(original);
        }
        assertThat(captured.toString(StandardCharsets.UTF_8).lines()).hasSize(2)
                .allMatch(line -> line.contains("n2: s4096 is not heard: 4096 other nodes were heard lately"));
    }
}
