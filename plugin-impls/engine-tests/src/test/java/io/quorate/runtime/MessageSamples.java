package io.quorate.runtime;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Change;
import io.quorate.core.message.DirectoryMessage.Item;
import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.DirectoryMessage.ListingsAck;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.DirectoryMessage.RegistrationsAck;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Configuration;
import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.SupportMessage.Refused;
import io.quorate.core.message.VoteMessage.Challenge;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Nack;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.message.VoteMessage.Successor;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.Acceptance;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.NotPromised;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.Promise;
import io.quorate.core.message.VotersMessage.Ready;
import io.quorate.core.message.VotersMessage.ReadyQuery;
import io.quorate.core.message.VotersMessage.VotersWanted;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.voters.PaxosState.Accepted;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.simulation.HighestUp;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** One or more of every message, change and item, with the smallest and the greatest values. */
final class MessageSamples {

    static final Epoch EPOCH = new Epoch(1_700_000_000_000L, 3);

    private static final long MAX = NodeMessage.NUMBER_MAX;
    private static final Epoch EPOCH_MAX = new Epoch(MAX, MAX);
    private static final NodeId SHORT = new NodeId("a");
    private static final NodeId LONG = new NodeId("Z".repeat(NodeId.LENGTH_MAX));
    private static final String PATH = "/app/leader";
    private static final String PATH_LONG = "/" + "p".repeat(NodeMessage.PATH_MAX - 1);
    private static final ContenderId ID = new ContenderId(SHORT, 0, 0);
    private static final ContenderId ID_MAX = new ContenderId(LONG, MAX, MAX);
    private static final ContenderRecord REGISTRATION = new ContenderRecord(ID, "", 0, 0, 0, 0);
    private static final ContenderRecord REGISTRATION_MAX =
            new ContenderRecord(ID_MAX, "p".repeat(ContenderRecord.PARTICIPANT_ID_MAX), MAX, Long.MIN_VALUE, MAX, MAX);

    private static final Round ROUND_MAX = new Round(MAX, LONG, MAX);
    private static final VoterList CONFIG = VoterList.first(List.of(SHORT));
    private static final VoterList CONFIG_MAX = new VoterList(
            MAX,
            VoterList.FLOOR_MAX,
            IntStream.rangeClosed(1, NodeSettings.VOTERS_MAX)
                    .mapToObj(i -> new Member(
                            new NodeId("n" + i),
                            MAX,
                            i % 2 == 0 ? Optional.empty() : Optional.of(new HostAndPort("h".repeat(253), 65_535))))
                    .toList());

    static final List<Change> CHANGES = List.of(
            new Change.Join(PATH, REGISTRATION, true),
            new Change.Join(PATH_LONG, REGISTRATION_MAX, false),
            new Change.Leave("/", MAX, true, false),
            new Change.Leave("/", 1, false, true),
            new Change.Watch(PATH, true, true),
            new Change.Watch("/\u00e4\u20ac\ud83d\ude00", false, false));

    static final List<Item> ITEMS = List.of(
            new Item.Listed(PATH, REGISTRATION_MAX),
            new Item.Unlisted(PATH, ID),
            new Item.Complete(PATH_LONG, MAX),
            new Item.Snapshot(PATH, 0, true, List.of()),
            new Item.Snapshot(PATH_LONG, MAX, false, List.of(REGISTRATION, REGISTRATION_MAX)));

    static final List<NodeMessage> ALL = List.of(
            new Heartbeat(1, 0, 1, Optional.empty(), false, true, 0, Long.MIN_VALUE, false, -1),
            new Heartbeat(
                    MAX, Long.MIN_VALUE, MAX, Optional.of(EPOCH_MAX), true, false, MAX, Long.MAX_VALUE, true, MAX - 1),
            new Ack(1, 1, new Epoch(0, 0), 0, 0, Optional.empty()),
            new Ack(MAX, MAX, EPOCH_MAX, MAX, MAX, Optional.of(List.of())),
            new Ack(1, 128, EPOCH, 127, 16_384, Optional.of(List.of(SHORT, LONG))),
            new Refused(true, ""),
            new Configuration("default", List.of(SHORT, LONG), MAX, 99, true, "ballot", RankOrder.SPREAD),
            new Configuration("", List.of(), 0, 0, false, "", RankOrder.JOIN_ORDER),
            new Refused(false, "r".repeat(Refused.REASON_MAX)),
            new Goodbye(),
            new Registrations(EPOCH, 1, List.of()),
            new Registrations(EPOCH_MAX, MAX, CHANGES),
            new RegistrationsAck(MAX),
            new Listings(EPOCH, 1, List.of()),
            new Listings(EPOCH_MAX, MAX, ITEMS),
            new ListingsAck(0),
            new Claim(PATH, 0, 1),
            new Claim(PATH_LONG, MAX, MAX),
            new Vote(PATH, MAX, MAX, EPOCH),
            new Nack(PATH, 1, MAX, 0, MAX),
            new Release("", 1, MAX, Optional.empty()),
            new Release(PATH, 1, 2, Optional.of(new Successor(ID_MAX, MAX))),
            new Challenge(PATH, ID_MAX, MAX),
            new Handover(PATH, 1, MAX, MAX),
            new DecidedVoters(CONFIG),
            new DecidedVoters(CONFIG_MAX),
            new VotersWanted(0),
            new ReadyQuery(MAX),
            new Ready(MAX, 0, 0, -1, "no space left"),
            new Ready(1, MAX, MAX, Long.MIN_VALUE, ""),
            new Prepare(ROUND_MAX, CONFIG),
            new Promise(2, ROUND_MAX, 0, Optional.empty()),
            new Promise(MAX, ROUND_MAX, VoterList.FLOOR_MAX, Optional.of(new Accepted(ROUND_MAX, CONFIG_MAX))),
            new NotPromised(2, ROUND_MAX, Optional.empty(), MAX, "no space left"),
            new NotPromised(MAX, ROUND_MAX, Optional.of(ROUND_MAX), 0, ""),
            new Accept(ROUND_MAX, CONFIG, CONFIG_MAX),
            new Acceptance(MAX, ROUND_MAX),
            new Elect(Long.MIN_VALUE, MAX, 0, 16 * 1024, true, new HighestUp.Ping(Integer.MAX_VALUE)));

    private MessageSamples() {}

    /** A message that holds one participant id. */
    static NodeMessage joined(String participantId) {
        return new Registrations(
                EPOCH, 1, List.of(new Change.Join(PATH, new ContenderRecord(ID, participantId, 1, 1, 1, 1), true)));
    }
}
