package io.quorate.testkit.simulation;

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
import io.quorate.core.voters.PaxosState.Accepted;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.engine.Epoch;
import io.quorate.spi.Message;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Somebody who sends messages of every kind that are not true, as far as frames can hold them. It listens to the whole
 * network, so that its lies are near the truth: with real ids, lives, epochs and terms, and with the digest of the
 * configuration.
 */
public final class Liar {

    enum Who {
        /** A node that nobody knows. */
        STRANGER,
        /** A node that contends and does not vote. */
        CONTENDER,
        VOTER;

        static Who of(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }
    }

    private static final int REMEMBERED_MAX = 64;
    private static final long[] EDGES = {
        0,
        1,
        2,
        1L << 16,
        1L << 24,
        1L << 40,
        NodeMessage.NUMBER_MAX - 1,
        NodeMessage.NUMBER_MAX,
        NodeMessage.NUMBER_MAX + 1,
        Long.MAX_VALUE,
        -1,
        Long.MIN_VALUE
    };
    private static final int KINDS = 29;

    private final VirtualCluster world;
    private final List<NodeId> nodes;
    private final Who who;
    private final SplittableRandom random;

    // Overheard values, newest last.
    private final List<Long> terms = new ArrayList<>(List.of(0L, 1L));
    private final List<Epoch> epochs = new ArrayList<>(List.of(new Epoch(1, 1)));
    private final List<Elect> elects = new ArrayList<>();
    private final List<ContenderId> contenders = new ArrayList<>();
    private long configHash;

    Liar(VirtualCluster world, List<NodeId> nodes, Who who, long seed) {
        this.world = world;
        this.nodes = nodes;
        this.who = who;
        this.random = new SplittableRandom(seed);
    }

    // ---------------------------------------------------------------- what it hears

    void overhear(Flight flight) {
        Object message = flight.message();
        if (message instanceof Heartbeat heartbeat) {
            configHash = heartbeat.configHash();
        } else if (message instanceof Ack ack && isMine(flight.to())) {
            remember(epochs, ack.epoch());
        } else if (message instanceof Vote vote) {
            remember(terms, vote.term());
            remember(epochs, vote.epoch());
        } else if (message instanceof Claim claim) {
            remember(contenders, new ContenderId(flight.from(), flight.incarnation(), claim.number()));
        } else if (message instanceof Elect elect) {
            remember(elects, elect);
        }
    }

    private static boolean isMine(NodeId node) {
        return node.value().startsWith("stranger");
    }

    private static <T> void remember(List<T> list, T heard) {
        if (list.size() == REMEMBERED_MAX) {
            list.remove(0);
        }
        list.add(heard);
    }

    // ---------------------------------------------------------------- what it says

    void lieTo(NodeId victim) {
        NodeId from = from(victim);
        long life = world.incarnation(from);
        long incarnation = who == Who.STRANGER ? 1_000 + random.nextInt(2) : life;
        if (incarnation > 0) {
            NodeMessage lie = lie(from, incarnation);
            if (Wire.carries(lie)) {
                world.deliver(new Flight(from, victim, lie, incarnation, world.incarnation(victim)));
            }
        }
    }

    private NodeId from(NodeId victim) {
        List<NodeId> choice =
                switch (who) {
                    case STRANGER -> List.of(new NodeId("stranger" + random.nextInt(4)));
                    case CONTENDER ->
                        nodes.stream()
                                .filter(node -> node.value().startsWith("o"))
                                .toList();
                    case VOTER ->
                        nodes.stream()
                                .filter(node -> node.value().startsWith("n"))
                                .toList();
                    default -> nodes;
                };
        return choice.isEmpty() ? victim : any(choice);
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private long number() {
        return switch (random.nextInt(5)) {
            case 0, 1 -> random.nextInt(8);
            case 2, 3 -> any(terms) + random.nextInt(4);
            default -> EDGES[random.nextInt(EDGES.length)];
        };
    }

    private int contenderNumber() {
        return random.nextInt(20) == 0 ? -1 : 1 + random.nextInt(12);
    }

    private String path() {
        return random.nextInt(3) > 0
                ? Storm.FIRST_PATH
                : random.nextInt(4) == 0 ? "/lie/" + random.nextInt(10_000) : "/" + (char) ('a' + random.nextInt(3));
    }

    private Epoch epoch() {
        return random.nextInt(4) > 0 ? any(epochs) : new Epoch(number(), number());
    }

    private ContenderId contender(NodeId from, long incarnation) {
        if (contenders.isEmpty() || random.nextInt(3) == 0) {
            return new ContenderId(from, incarnation, Math.max(0, contenderNumber()));
        }
        return random.nextInt(8) == 0
                ? new ContenderId(any(nodes), number(), Math.max(0, contenderNumber()))
                : any(contenders);
    }

    private ContenderRecord registration(NodeId from, long incarnation) {
        return new ContenderRecord(
                contender(from, incarnation), "liar", number(), random.nextLong(), number(), number());
    }

    private NodeMessage lie(NodeId from, long incarnation) {
        return switch (random.nextInt(KINDS)) {
            // Often, so that it is supported, and its other lies get further.
            case 0, 1, 2 ->
                new Heartbeat(
                        1,
                        0,
                        random.nextInt(1_000),
                        random.nextInt(4) == 0 ? Optional.of(epoch()) : Optional.empty(),
                        random.nextBoolean(),
                        random.nextBoolean(),
                        number(),
                        configHash,
                        random.nextBoolean(),
                        number());
            case 3 ->
                new Ack(
                        world.incarnation(any(nodes)),
                        number(),
                        epoch(),
                        number(),
                        number(),
                        random.nextBoolean() ? Optional.empty() : Optional.of(List.of(any(nodes))));
            case 4, 5 -> new Refused(random.nextBoolean(), "a\nlie");
            case 6, 7 -> new Goodbye();
            case 8, 9 ->
                new Registrations(
                        epoch(), random.nextInt(1_000), List.of(change(from, incarnation), change(from, incarnation)));
            case 10 -> random.nextBoolean() ? new RegistrationsAck(number()) : new ListingsAck(number());
            case 11, 12 ->
                new Listings(epoch(), random.nextInt(1_000), List.of(item(from, incarnation), item(from, incarnation)));
            case 13 -> new Claim(path(), contenderNumber(), number());
            case 14 -> new Vote(path(), contenderNumber(), number(), epoch());
            case 15 -> new Nack(path(), contenderNumber(), number(), number(), number());
            case 16 ->
                new Release(
                        path(),
                        contenderNumber(),
                        number(),
                        random.nextBoolean()
                                ? Optional.empty()
                                : Optional.of(new Successor(contender(from, incarnation), number())));
            case 17 -> new Challenge(path(), contender(from, incarnation), number());
            case 18, 19 -> new Handover(path(), contenderNumber(), number(), number());
            case 20 ->
                new Configuration(
                        "other",
                        List.of(from),
                        Math.abs(random.nextLong() >>> 2),
                        5,
                        true,
                        "lie\u001b[31m",
                        RankOrder.SPREAD);
            case 21 ->
                new Heartbeat(
                        number(), random.nextLong(), 1, Optional.empty(), true, true, number(), configHash, true, -1);
            case 22 -> new DecidedVoters(config(from));
            case 23 -> random.nextBoolean() ? new VotersWanted(number()) : new ReadyQuery(number());
            case 24 ->
                new Ready(random.nextInt(8), number(), number(), random.nextLong(), random.nextBoolean() ? "" : "lie");
            case 25 -> new Prepare(round(from, incarnation), config(from));
            case 26 ->
                random.nextBoolean()
                        ? new Promise(number(), round(from, incarnation), number(), accepted(from, incarnation))
                        : new NotPromised(
                                number(),
                                round(from, incarnation),
                                Optional.of(round(from, incarnation)),
                                number(),
                                "lie");
            case 27 ->
                random.nextBoolean()
                        ? new Accept(round(from, incarnation), config(from), config(from))
                        : new Acceptance(number(), round(from, incarnation));
            default -> elect();
        };
    }

    private Round round(NodeId from, long incarnation) {
        return new Round(number(), random.nextBoolean() ? from : any(nodes), incarnation);
    }

    /** Voters that nobody has decided, in which the liar likes to be. */
    private VoterList config(NodeId from) {
        List<NodeId> voters = new ArrayList<>(nodes.subList(0, random.nextInt(nodes.size())));
        if (!voters.contains(from)) {
            voters.add(from);
        }
        return new VoterList(
                Math.max(1, number()),
                Math.max(0, number()),
                voters.stream()
                        .map(voter -> new Member(voter, random.nextInt(3), Optional.empty()))
                        .toList());
    }

    private Optional<Accepted> accepted(NodeId from, long incarnation) {
        return random.nextBoolean()
                ? Optional.empty()
                : Optional.of(new Accepted(round(from, incarnation), config(from)));
    }

    private Change change(NodeId from, long incarnation) {
        return switch (random.nextInt(4)) {
            case 0 -> new Change.Leave(path(), contenderNumber(), random.nextBoolean(), random.nextBoolean());
            case 1 -> new Change.Watch(path(), random.nextInt(3) > 0, random.nextBoolean());
            default -> new Change.Join(path(), registration(from, incarnation), random.nextBoolean());
        };
    }

    private Item item(NodeId from, long incarnation) {
        return switch (random.nextInt(4)) {
            case 0 -> new Item.Unlisted(path(), contender(from, incarnation));
            case 1 -> new Item.Complete(path(), number());
            case 2 ->
                new Item.Snapshot(
                        path(),
                        number(),
                        random.nextBoolean(),
                        List.of(registration(from, incarnation), registration(from, incarnation)));
            default -> new Item.Listed(path(), registration(from, incarnation));
        };
    }

    /** An overheard message, from another place or of another attempt; there is none before the first election. */
    private NodeMessage elect() {
        if (elects.isEmpty()) {
            return new Goodbye();
        }
        Elect heard = any(elects);
        Message message = any(elects).message();
        return new Elect(
                heard.election(),
                random.nextBoolean() ? heard.birth() : number(),
                random.nextInt(4) - 1,
                random.nextInt(4) - 1,
                random.nextInt(4) == 0,
                message);
    }
}
