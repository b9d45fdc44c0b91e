package io.quorate.runtime;

import io.quorate.core.ContenderId;
import io.quorate.core.Epoch;
import io.quorate.core.NodeMessage;
import io.quorate.core.Registration;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.HighestUp;
import java.util.List;
import java.util.Optional;

/** One or more of every message, change and item, with the smallest and the greatest values. */
final class MessageSamples {

    static final Epoch EPOCH = new Epoch(1_700_000_000_000L, 3);

    private static final long MAX = NodeMessage.NUMBER_MAX;
    private static final Epoch EPOCH_MAX = new Epoch(MAX, MAX);
    private static final NodeId SHORT = new NodeId("a");
    private static final NodeId LONG = new NodeId("Z".repeat(NodeId.LENGTH_MAX));
    private static final String PATH = "/app/leader";
    private static final String PATH_LONG = "/" + "p".repeat(MessageCodec.PATH_MAX - 1);
    private static final ContenderId ID = new ContenderId(SHORT, 0, 0);
    private static final ContenderId ID_MAX = new ContenderId(LONG, MAX, MAX);
    private static final Registration REGISTRATION = new Registration(ID, "", 0, 0, 0, 0);
    private static final Registration REGISTRATION_MAX = new Registration(ID_MAX,
            "p".repeat(Registration.PARTICIPANT_ID_MAX), MAX, Long.MIN_VALUE, MAX, MAX);

    static final List<NodeMessage.Change> CHANGES = List.of(
            new NodeMessage.Join(PATH, REGISTRATION, true),
            new NodeMessage.Join(PATH_LONG, REGISTRATION_MAX, false),
            new NodeMessage.Leave("/", MAX, true, false),
            new NodeMessage.Leave("/", 1, false, true),
            new NodeMessage.Watch(PATH, true, true),
            new NodeMessage.Watch("/\u00e4\u20ac\ud83d\ude00", false, false));

    static final List<NodeMessage.Item> ITEMS = List.of(
            new NodeMessage.Listed(PATH, REGISTRATION_MAX),
            new NodeMessage.Unlisted(PATH, ID),
            new NodeMessage.Complete(PATH_LONG, MAX),
            new NodeMessage.Snapshot(PATH, 0, true, List.of()),
            new NodeMessage.Snapshot(PATH_LONG, MAX, false, List.of(REGISTRATION, REGISTRATION_MAX)));

    static final List<NodeMessage> ALL = List.of(
            new NodeMessage.Heartbeat(1, 0, 0, Optional.empty(), false, true, 0, Long.MIN_VALUE, false, -1),
            new NodeMessage.Heartbeat(MAX, MAX, MAX, Optional.of(EPOCH_MAX), true, false, MAX, Long.MAX_VALUE, true,
                    MAX - 1),
            new NodeMessage.Ack(1, 1, new Epoch(0, 0), 0, 0, Optional.empty()),
            new NodeMessage.Ack(MAX, MAX, EPOCH_MAX, MAX, MAX, Optional.of(List.of())),
            new NodeMessage.Ack(1, 128, EPOCH, 127, 16_384, Optional.of(List.of(SHORT, LONG))),
            new NodeMessage.Refused(true, ""),
            new NodeMessage.Configuration("default", List.of(SHORT, LONG), MAX, 99, true, "ballot", RankOrder.SPREAD),
            new NodeMessage.Configuration("", List.of(), 0, 0, false, "", RankOrder.JOIN_ORDER),
            new NodeMessage.Refused(false, "r".repeat(NodeMessage.Refused.REASON_MAX)),
            new NodeMessage.Inquiry(),
            new NodeMessage.Heard(MAX),
            new NodeMessage.Outdated(0),
            new NodeMessage.Goodbye(),
            new NodeMessage.Registrations(EPOCH, 1, List.of()),
            new NodeMessage.Registrations(EPOCH_MAX, MAX, CHANGES),
            new NodeMessage.RegistrationsAck(MAX),
            new NodeMessage.Listings(EPOCH, 1, List.of()),
            new NodeMessage.Listings(EPOCH_MAX, MAX, ITEMS),
            new NodeMessage.ListingsAck(0),
            new NodeMessage.Claim(PATH, 0, 1),
            new NodeMessage.Claim(PATH_LONG, MAX, MAX),
            new NodeMessage.Vote(PATH, MAX, MAX, EPOCH),
            new NodeMessage.Nack(PATH, 1, MAX, 0, MAX),
            new NodeMessage.Release("", 1, MAX, Optional.empty()),
            new NodeMessage.Release(PATH, 1, 2, Optional.of(new NodeMessage.Successor(ID_MAX, MAX))),
            new NodeMessage.Challenge(PATH, ID_MAX, MAX),
            new NodeMessage.Handover(PATH, 1, MAX, MAX),
            new NodeMessage.Elect(Long.MIN_VALUE, MAX, 0, 16 * 1024, true, new HighestUp.Ping(Integer.MAX_VALUE)));

    private MessageSamples() {
    }

    /** A message that holds one participant id. */
    static NodeMessage joined(String participantId) {
        return new NodeMessage.Registrations(EPOCH, 1,
                List.of(new NodeMessage.Join(PATH, new Registration(ID, participantId, 1, 1, 1, 1),
                        true)));
    }
}
