package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Trace;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.HighestUp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The world of ReconfigBelief.tla with the shipped {@link Authority} in it, exhaustively: only lists that were decided
 * are followed. The numbers of states are those that TLC finds (TlcTest).
 */
class BeliefModelTest {

    private static final NodeId R = new NodeId("r");
    private static final NodeId A = new NodeId("a");
    private static final NodeId S = new NodeId("s");
    private static final NodeId W = new NodeId("w");
    private static final NodeId X = new NodeId("x");
    private static final NodeId G = new NodeId("g");
    private static final NodeId C1 = new NodeId("c1");
    private static final NodeId C2 = new NodeId("c2");
    private static final List<NodeId> HONEST = List.of(A, S, W, X, G);

    /** The lists of {@link Contexts#list} name this directory. */
    private static final long STORE = 7;

    private static final int LAST = 5;

    private static final List<VoterList> REAL = List.of(
            VoterList.NONE,
            VoterList.first(List.of(R, A, S)),
            Contexts.list(2, R, A, S, W),
            Contexts.list(3, A, S, W),
            Contexts.list(4, A, S, W, X),
            Contexts.list(LAST, S, W, X));

    /** Liars tell such lists. */
    private enum Lies {
        NONE,
        OLD,
        MADE_UP
    }

    /** Constants of a configuration. */
    private record Bounds(List<NodeId> settingsOfG, Lies lies, List<VoterList> madeUp) {}

    /** An honest node knows one list, was told others, and may follow a list that r has made up. */
    private record Knowing(VoterList known, Map<NodeId, VoterList> said, boolean limit) {}

    /** A state. */
    private record World(int last, boolean gone, Map<NodeId, Knowing> nodes) {

        static World first() {
            Map<NodeId, Knowing> nodes = new TreeMap<>();
            HONEST.forEach(node ->
                    nodes.put(node, new Knowing(REAL.get(A.equals(node) || S.equals(node) ? 1 : 0), Map.of(), false)));
            return new World(1, false, nodes);
        }

        VoterList known(NodeId node) {
            return nodes.get(node).known();
        }

        World with(int nextLast, boolean nextGone, NodeId node, Knowing knowing) {
            Map<NodeId, Knowing> next = new TreeMap<>(nodes);
            next.put(node, knowing);
            return new World(nextLast, nextGone, next);
        }

        boolean hears(NodeId node) {
            return (!node.equals(S) || last <= 3 || gone) && (!node.equals(G) || gone) && (!node.equals(A) || !gone);
        }
    }

    private Bounds bounds = new Bounds(List.of(), Lies.NONE, List.of());

    private StepContext context(NodeId node) {
        List<NodeId> named = node.equals(G) ? bounds.settingsOfG : node.equals(X) ? List.of(A, S, W) : List.of(R, A, S);
        NodeSettings settings = new NodeSettings(
                "test", node, named, new LeaseTiming(100, 1100, 10), new Timing(10), RankOrder.JOIN_ORDER, 0, false);
        boolean isVoter = node.equals(A) || node.equals(S);
        StepContext context = new StepContext(
                isVoter ? settings : settings.joining(), new HighestUp(), (min, max) -> min, Trace.NONE, 1);
        context.setNow(0);
        return context;
    }

    /** The shipped class as it is in this state. */
    private Authority authority(NodeId node, Knowing knowing) {
        StepContext context = context(node);
        context.begin(knowing.known, STORE);
        Authority authority = new Authority(context);
        // Members first, because others are heard only if they say what a member says.
        Stream.of(true, false)
                .forEach(isMember -> knowing.said.forEach((by, list) -> {
                    if (authority.isMember(by) == isMember) {
                        authority.follow(by, list, STORE);
                    }
                }));
        assertThat(authority.told()).isEqualTo(knowing.said);
        return authority;
    }

    private void tell(World world, NodeId teller, NodeId node, VoterList list, Consumer<World> next) {
        Knowing before = world.nodes.get(node);
        if (list.number() <= before.known.number() || teller.equals(node) || !world.hears(node)) {
            return;
        }
        Authority authority = authority(node, before);
        Set<NodeId> sayers = new TreeSet<>();
        before.said.forEach((by, said) -> {
            if (said.equals(list)) {
                sayers.add(by);
            }
        });
        sayers.add(teller);
        boolean isFooled = sayers.stream()
                .anyMatch(by -> by.equals(R) || world.nodes.containsKey(by) && world.nodes.get(by).limit);
        boolean isBelieved = authority.believes(teller, 1, new DecidedVoters(list));
        Knowing after = isBelieved && authority.follow(teller, list, STORE).isPresent()
                ? new Knowing(list, Map.of(), before.limit || bounds.madeUp.contains(list) && isFooled)
                : new Knowing(before.known, new TreeMap<>(authority.told()), before.limit);
        next.accept(world.with(world.last, world.gone, node, after));
    }

    private void decide(World world, Consumer<World> next) {
        VoterList base = REAL.get(world.last);
        for (NodeId node : HONEST) {
            boolean mayDecide = world.last < LAST
                    && world.known(node).equals(base)
                    && base.indexOf(node) >= 0
                    && world.hears(node)
                    && base.isMajority((int) base.ids().stream()
                            .filter(voter ->
                                    voter.equals(R) || world.known(voter).equals(base))
                            .count());
            if (mayDecide) {
                Knowing after = new Knowing(REAL.get(world.last + 1), Map.of(), world.nodes.get(node).limit);
                next.accept(world.with(world.last + 1, world.gone, node, after));
            }
        }
    }

    private void successors(World world, Consumer<World> next) {
        decide(world, next);
        if (world.last == LAST
                && !world.gone
                && world.known(W).equals(REAL.get(LAST))
                && world.known(X).equals(REAL.get(LAST))) {
            next.accept(new World(world.last, true, world.nodes));
        }
        List<VoterList> lies =
                switch (bounds.lies) {
                    case NONE -> List.of();
                    case OLD -> REAL.subList(1, world.last + 1);
                    case MADE_UP -> bounds.madeUp;
                };
        List<NodeId> liars = new ArrayList<>(List.of(C1, C2));
        if (world.last >= 3) {
            liars.add(R);
        }
        for (NodeId node : HONEST) {
            liars.forEach(liar -> lies.forEach(lie -> tell(world, liar, node, lie, next)));
            for (NodeId teller : HONEST) {
                if ((!world.gone || !teller.equals(A)) && world.known(teller).number() >= 1) {
                    tell(world, teller, node, world.known(teller), next);
                }
            }
        }
    }

    private void assertOnlyDecided(World world) {
        world.nodes.forEach((node, knowing) -> assertThat(REAL.contains(knowing.known) || knowing.limit)
                .as("%s follows %s in %s", node, knowing.known, world)
                .isTrue());
    }

    private int explore(Bounds within) {
        bounds = within;
        Set<World> seen = new HashSet<>();
        Deque<World> frontier = new ArrayDeque<>();
        seen.add(World.first());
        frontier.add(World.first());
        while (!frontier.isEmpty()) {
            successors(frontier.remove(), next -> {
                if (seen.add(next)) {
                    assertOnlyDecided(next);
                    frontier.add(next);
                }
            });
        }
        return seen.size();
    }

    @Test
    void oldSettingsAndHonestNodes() {
        assertThat(explore(new Bounds(List.of(R, A, S), Lies.NONE, List.of()))).isEqualTo(2905);
    }

    @Test
    void liarsRepeatListsThatAreNoLongerInForce() {
        assertThat(explore(new Bounds(List.of(S, W, X), Lies.OLD, List.of()))).isEqualTo(6032);
    }

    @Test
    @Tag("storms")
    void liarsMakeListsUp() {
        List<VoterList> madeUp = List.of(Contexts.list(9, C1, C2), Contexts.list(9, R, C1));
        assertThat(explore(new Bounds(List.of(S, W, X), Lies.MADE_UP, madeUp))).isEqualTo(81_979);
    }
}
