package io.quorate.core.voters;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.voters.Seat.Accepted;
import io.quorate.core.voters.VoterConfig.Member;
import io.quorate.spi.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The seats that are shipped, in the world of {@code ReconfigPaxos.tla}: three voters and a fourth node, two ballots
 * for one number, messages that are never consumed. Every state is visited; there are as many as TLC finds, up to the
 * same symmetry.
 */
class SeatWorldTest {

    private static final int NODES = 4;
    private static final int VOTERS = 3;
    private static final int BALLOTS = 2;
    /** What TLC finds with ReconfigPaxos.cfg. */
    private static final int STATES = 19_145;

    private static final VoterConfig FIRST = VoterConfig.first(ids(0b0111));
    private static final List<Integer> OPTIONS = List.of(0b1111, 0b0011, 0b0101, 0b0110);

    private enum Kind {
        PREPARE,
        PROMISE,
        ACCEPT,
        ACCEPTED
    }

    /**
     * A message.
     *
     * @param node  who answers; -1 for a proposer
     * @param value of an accept; of a promise what was accepted in {@code last}
     */
    private record Sent(Kind kind, int node, int ballot, int last, int value) {

        private Sent renamed(int[] names) {
            return new Sent(kind, node < 0 ? node : names[node], ballot, last, SeatWorldTest.renamed(value, names));
        }
    }

    /** Everything; of the decided values those that somebody has seen. */
    private record World(List<Seat> seats, Set<Sent> sent, Set<Integer> decided) {

        private World with(int node, Seat seat, Sent message) {
            List<Seat> all = new ArrayList<>(seats);
            all.set(node, seat);
            return new World(all, more(sent, message), decided);
        }

        private World with(Sent message) {
            return new World(seats, more(sent, message), decided);
        }

        private List<Sent> all(Kind kind) {
            return sent.stream().filter(each -> each.kind == kind).toList();
        }
    }

    private static <T> Set<T> more(Set<T> some, T one) {
        Set<T> all = new HashSet<>(some);
        all.add(one);
        return all;
    }

    private static List<NodeId> ids(int bits) {
        return IntStream.range(0, NODES)
                .filter(node -> (bits >> node & 1) != 0)
                .mapToObj(node -> new NodeId("n" + node))
                .toList();
    }

    private static VoterConfig value(int bits) {
        return new VoterConfig(
                2,
                0,
                ids(bits).stream()
                        .map(id -> new Member(id, 0, Optional.empty()))
                        .toList());
    }

    private static int bits(VoterConfig config) {
        return config.ids().stream()
                .mapToInt(id -> 1 << Integer.parseInt(id.value().substring(1)))
                .sum();
    }

    private static Round round(int ballot) {
        return new Round(ballot, new NodeId("p"), 1);
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
        for (int value : OPTIONS) {
            if (isSeen(world, value)) {
                next.add(new World(world.seats, world.sent, more(world.decided, value)));
            }
        }
        for (int node = 0; node < NODES; node++) {
            for (int value : world.decided) {
                List<Seat> all = new ArrayList<>(world.seats);
                all.set(node, all.get(node).learn(value(value)));
                next.add(new World(all, world.sent, world.decided));
            }
        }
        return next;
    }

    private static void answer(World world, int voter, List<World> next) {
        Seat seat = world.seats.get(voter);
        for (Sent prepare : world.all(Kind.PREPARE)) {
            if (seat.mayPromise(2, round(prepare.ballot))) {
                int last = seat.accepted()
                        .map(accepted -> (int) accepted.round().counter())
                        .orElse(0);
                int value =
                        seat.accepted().map(accepted -> bits(accepted.value())).orElse(0);
                next.add(world.with(
                        voter,
                        seat.promise(2, round(prepare.ballot)),
                        new Sent(Kind.PROMISE, voter, prepare.ballot, last, value)));
            }
        }
        for (Sent accept : world.all(Kind.ACCEPT)) {
            if (seat.mayAccept(2, round(accept.ballot), value(accept.value))) {
                next.add(world.with(
                        voter,
                        seat.accept(2, round(accept.ballot), value(accept.value)),
                        new Sent(Kind.ACCEPTED, voter, accept.ballot, 0, accept.value)));
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
            int chosen = some;
            List<Sent> quorum = IntStream.range(0, promises.size())
                    .filter(i -> (chosen >> i & 1) != 0)
                    .mapToObj(promises::get)
                    .toList();
            if (FIRST.isMajority(quorum.size())) {
                Optional<Accepted> last = Proposals.last(quorum.stream()
                        .filter(promise -> promise.last > 0)
                        .map(promise -> new Accepted(round(promise.last), value(promise.value)))
                        .toList());
                List<Integer> values =
                        last.map(accepted -> List.of(bits(accepted.value()))).orElse(OPTIONS);
                values.forEach(value -> next.add(world.with(new Sent(Kind.ACCEPT, -1, ballot, 0, value))));
            }
        }
    }

    private static boolean isSeen(World world, int value) {
        return IntStream.rangeClosed(1, BALLOTS)
                .anyMatch(ballot -> FIRST.isMajority((int) world.all(Kind.ACCEPTED).stream()
                        .filter(accepted -> accepted.ballot == ballot && accepted.value == value)
                        .count()));
    }

    // ---------------------------------------------------------------- states that differ in names only are one

    private static final List<int[]> NAMES = List.of(
            new int[] {0, 1, 2, 3},
            new int[] {0, 2, 1, 3},
            new int[] {1, 0, 2, 3},
            new int[] {1, 2, 0, 3},
            new int[] {2, 0, 1, 3},
            new int[] {2, 1, 0, 3});

    private static int renamed(int bits, int[] names) {
        return IntStream.range(0, NODES)
                .filter(node -> (bits >> node & 1) != 0)
                .map(node -> 1 << names[node])
                .sum();
    }

    private static String normal(World world) {
        return NAMES.stream()
                .map(names -> text(world, names))
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static String text(World world, int[] names) {
        String[] seats = new String[NODES];
        for (int node = 0; node < NODES; node++) {
            Seat seat = world.seats.get(node);
            seats[names[node]] = seat.config().number() + "," + renamed(bits(seat.config()), names) + ","
                    + seat.promised().map(Round::counter).orElse(0L) + ","
                    + seat.accepted()
                            .map(last -> last.round().counter() + "=" + renamed(bits(last.value()), names))
                            .orElse("");
        }
        return Arrays.toString(seats)
                + world.sent.stream()
                        .map(sent -> sent.renamed(names).toString())
                        .sorted()
                        .collect(Collectors.joining())
                + new TreeSet<>(world.decided.stream()
                        .map(value -> renamed(value, names))
                        .toList());
    }

    @Test
    void thereAreAsManyStatesAsInTheSpecificationAndNeverTwoDecisions() {
        World begin = new World(Collections.nCopies(NODES, Seat.at(FIRST)), Set.of(), Set.of());
        Set<String> seen = new HashSet<>(Set.of(normal(begin)));
        Deque<World> open = new ArrayDeque<>(List.of(begin));
        int decisions = 0;
        while (!open.isEmpty()) {
            World world = open.remove();
            assertThat(world.decided).as("decided in %s", world).hasSizeLessThanOrEqualTo(1);
            decisions += world.decided.size();
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
