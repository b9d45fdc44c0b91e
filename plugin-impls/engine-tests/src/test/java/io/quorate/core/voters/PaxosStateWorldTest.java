package io.quorate.core.voters;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.voters.PaxosState.Accepted;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The states that are shipped, in the world of {@code ReconfigPaxos.tla}: three voters and a fourth node, two ballots
 * for one number, messages that are never consumed. Every state is visited; there are as many as TLC finds, up to the
 * same symmetry.
 */
class PaxosStateWorldTest {

    private static final int NODES = 4;
    private static final int VOTERS = 3;
    private static final int BALLOTS = 2;
    /** What TLC finds with ReconfigPaxos.cfg. */
    private static final int STATES = 19_145;

    /** Lists of voters, as bits: the first one, and those that may follow it. */
    private static final List<Integer> LISTS = List.of(0b0111, 0b1111, 0b0011, 0b0101, 0b0110);

    private static final List<VoterList> CONFIGS = IntStream.range(0, LISTS.size())
            .mapToObj(PaxosStateWorldTest::config)
            .toList();
    private static final VoterList FIRST = CONFIGS.get(0);
    private static final int[] OPTIONS = {1, 2, 3, 4};

    private static final List<Round> ROUNDS = IntStream.rangeClosed(0, BALLOTS)
            .mapToObj(ballot -> new Round(ballot, new NodeId("p"), 1))
            .toList();

    private enum Kind {
        PREPARE,
        PROMISE,
        ACCEPT,
        ACCEPTED
    }

    /**
     * A message.
     *
     * @param node who answers; -1 for a proposer
     * @param last of a promise in which ballot something was accepted before; 0 if nothing was
     * @param list the list that is proposed, or accepted; of a promise the one that was accepted before
     */
    private record Sent(Kind kind, int node, int ballot, int last, int list) {

        private Sent renamed(int[] names) {
            return new Sent(
                    kind, node < 0 ? node : names[node], ballot, last, PaxosStateWorldTest.renamed(list, names));
        }
    }

    /** All that can ever be sent, 64 at most: what is on the network is some bits. */
    private static final List<Sent> MESSAGES = messages();

    /**
     * Everything.
     *
     * @param sent    of the message with index i, bit i
     * @param decided the same of lists: those that somebody has seen to be decided
     */
    private record World(List<PaxosState> states, long sent, long decided) {

        private World with(int node, PaxosState paxos, Sent message) {
            return learned(node, paxos).with(message);
        }

        private World learned(int node, PaxosState paxos) {
            List<PaxosState> all = new ArrayList<>(states);
            all.set(node, paxos);
            return new World(all, sent, decided);
        }

        private World with(Sent message) {
            return new World(states, sent | bit(message), decided);
        }

        private List<Sent> all(Kind kind) {
            return bits(sent)
                    .mapToObj(MESSAGES::get)
                    .filter(each -> each.kind == kind)
                    .toList();
        }

        private boolean has(Sent message) {
            return (sent & bit(message)) != 0;
        }
    }

    /** What tells two states apart; what stands in the states is one number. */
    private record Key(long states, long sent, long decided) {

        private static final Comparator<Key> ORDER = Comparator.comparingLong(Key::states)
                .thenComparingLong(Key::sent)
                .thenComparingLong(Key::decided);
    }

    private static IntStream bits(long bits) {
        return IntStream.range(0, Long.SIZE).filter(i -> (bits >> i & 1) != 0);
    }

    private static long bit(Sent message) {
        return 1L << MESSAGES.indexOf(message);
    }

    private static VoterList config(int list) {
        List<Member> members = bits(LISTS.get(list))
                .mapToObj(node -> new Member(new NodeId("n" + node), 0, Optional.empty()))
                .toList();
        return new VoterList(list == 0 ? 1 : 2, 0, members);
    }

    private static List<Sent> messages() {
        List<Sent> all = new ArrayList<>();
        for (int ballot = 1; ballot <= BALLOTS; ballot++) {
            all.add(new Sent(Kind.PREPARE, -1, ballot, 0, 0));
            for (int list : OPTIONS) {
                all.add(new Sent(Kind.ACCEPT, -1, ballot, 0, list));
            }
            for (int voter = 0; voter < VOTERS; voter++) {
                all.add(new Sent(Kind.PROMISE, voter, ballot, 0, 0));
                for (int list : OPTIONS) {
                    all.add(new Sent(Kind.ACCEPTED, voter, ballot, 0, list));
                    for (int last = 1; last < ballot; last++) {
                        all.add(new Sent(Kind.PROMISE, voter, ballot, last, list));
                    }
                }
            }
        }
        assertThat(all).hasSizeLessThanOrEqualTo(Long.SIZE);
        return List.copyOf(all);
    }

    // ---------------------------------------------------------------- what may happen

    private static List<World> successors(World world) {
        List<World> next = new ArrayList<>();
        for (int ballot = 1; ballot <= BALLOTS; ballot++) {
            next.add(world.with(new Sent(Kind.PREPARE, -1, ballot, 0, 0)));
        }
        world.all(Kind.PREPARE).forEach(prepare -> propose(world, prepare.ballot, next));
        for (int voter = 0; voter < VOTERS; voter++) {
            answer(world, voter, next);
        }
        for (int list : OPTIONS) {
            if (isSeen(world, list)) {
                next.add(new World(world.states, world.sent, world.decided | 1L << list));
            }
        }
        for (int node = 0; node < NODES; node++) {
            int learner = node;
            bits(world.decided)
                    .forEach(list -> next.add(
                            world.learned(learner, world.states.get(learner).learn(CONFIGS.get(list)))));
        }
        return next;
    }

    private static void answer(World world, int voter, List<World> next) {
        PaxosState paxos = world.states.get(voter);
        for (Sent prepare : world.all(Kind.PREPARE)) {
            Round round = ROUNDS.get(prepare.ballot);
            if (paxos.mayPromise(2, round)) {
                Sent promise = new Sent(Kind.PROMISE, voter, prepare.ballot, acceptedIn(paxos), acceptedList(paxos));
                next.add(world.with(voter, paxos.promise(2, round), promise));
            }
        }
        for (Sent accept : world.all(Kind.ACCEPT)) {
            Round round = ROUNDS.get(accept.ballot);
            VoterList value = CONFIGS.get(accept.list);
            if (paxos.mayAccept(2, round, value)) {
                Sent accepted = new Sent(Kind.ACCEPTED, voter, accept.ballot, 0, accept.list);
                next.add(world.with(voter, paxos.accept(2, round, value), accepted));
            }
        }
    }

    /** One value per ballot, with the promises of any majority. */
    private static void propose(World world, int ballot, List<World> next) {
        if (world.all(Kind.ACCEPT).stream().anyMatch(accept -> accept.ballot == ballot)) {
            return;
        }
        List<Sent> promises = world.all(Kind.PROMISE).stream()
                .filter(promise -> promise.ballot == ballot)
                .toList();
        for (int some = 1; some < 1 << promises.size(); some++) {
            List<Sent> quorum = bits(some).mapToObj(promises::get).toList();
            if (FIRST.isMajority(quorum.size())) {
                Optional<Accepted> last = PaxosState.last(quorum.stream()
                        .filter(promise -> promise.last > 0)
                        .map(promise -> new Accepted(ROUNDS.get(promise.last), CONFIGS.get(promise.list))));
                IntStream lists = last.map(accepted -> IntStream.of(CONFIGS.indexOf(accepted.value())))
                        .orElse(IntStream.of(OPTIONS));
                lists.forEach(list -> next.add(world.with(new Sent(Kind.ACCEPT, -1, ballot, 0, list))));
            }
        }
    }

    private static boolean isSeen(World world, int list) {
        return IntStream.rangeClosed(1, BALLOTS)
                .anyMatch(ballot -> FIRST.isMajority((int) IntStream.range(0, VOTERS)
                        .filter(voter -> world.has(new Sent(Kind.ACCEPTED, voter, ballot, 0, list)))
                        .count()));
    }

    private static int acceptedIn(PaxosState paxos) {
        return paxos.accepted()
                .map(accepted -> (int) accepted.round().counter())
                .orElse(0);
    }

    private static int acceptedList(PaxosState paxos) {
        return paxos.accepted()
                .map(accepted -> CONFIGS.indexOf(accepted.value()))
                .orElse(0);
    }

    // ---------------------------------------------------------------- states that differ in names only are one

    private static final List<Naming> NAMINGS = Stream.of(
                    new int[] {0, 1, 2, 3},
                    new int[] {0, 2, 1, 3},
                    new int[] {1, 0, 2, 3},
                    new int[] {1, 2, 0, 3},
                    new int[] {2, 0, 1, 3},
                    new int[] {2, 1, 0, 3})
            .map(Naming::new)
            .toList();

    /** Other names for the voters, and what becomes of lists and messages with them: worked out once. */
    private static final class Naming {
        private final int[] names;
        private final int[] lists;
        private final int[] messages;

        private Naming(int[] names) {
            this.names = names;
            lists = IntStream.range(0, LISTS.size())
                    .map(list -> renamed(list, names))
                    .toArray();
            messages = MESSAGES.stream()
                    .mapToInt(message -> MESSAGES.indexOf(message.renamed(names)))
                    .toArray();
        }

        private Key key(World world) {
            long states = 0;
            for (int node = 0; node < NODES; node++) {
                states |= code(world.states.get(node)) << 8 * names[node];
            }
            return new Key(states, moved(world.sent, messages), moved(world.decided, lists));
        }

        private long code(PaxosState paxos) {
            long promised = paxos.promised().map(Round::counter).orElse(0L);
            long known = lists[CONFIGS.indexOf(paxos.config())];
            return ((known * 3 + promised) * 3 + acceptedIn(paxos)) * LISTS.size() + lists[acceptedList(paxos)];
        }
    }

    private static int renamed(int list, int[] names) {
        int nodes = bits(LISTS.get(list)).map(node -> 1 << names[node]).sum();
        return LISTS.indexOf(nodes);
    }

    private static long moved(long bits, int[] places) {
        long moved = 0;
        for (long left = bits; left != 0; left &= left - 1) {
            moved |= 1L << places[Long.numberOfTrailingZeros(left)];
        }
        return moved;
    }

    private static Key normal(World world) {
        return NAMINGS.stream().map(naming -> naming.key(world)).min(Key.ORDER).orElseThrow();
    }

    @Test
    void thereAreAsManyStatesAsInTheSpecificationAndNeverTwoDecisions() {
        World begin = new World(Collections.nCopies(NODES, PaxosState.at(FIRST)), 0, 0);
        Set<Key> seen = new HashSet<>(Set.of(normal(begin)));
        Deque<World> open = new ArrayDeque<>(List.of(begin));
        int decisions = 0;
        while (!open.isEmpty()) {
            World world = open.remove();
            if (Long.bitCount(world.decided) > 1) {
                throw new AssertionError("two lists are decided in " + world);
            }
            decisions += Long.bitCount(world.decided);
            for (World next : successors(world)) {
                if (seen.add(normal(next))) {
                    open.add(next);
                }
            }
        }
        assertThat(decisions).isPositive();
        assertThat(seen).hasSize(STATES);
    }
}
