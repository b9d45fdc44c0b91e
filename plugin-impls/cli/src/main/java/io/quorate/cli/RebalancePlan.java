package io.quorate.cli;

import io.quorate.cli.EvenSpread.Thing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which paths are to have another leader.
 *
 * @param moves  by path
 * @param before how many paths each node leads, by node
 * @param after  how many it is to lead
 * @param fixed  how many paths stay with a leader that is not wanted there, because no id names a successor
 */
record RebalancePlan(List<Move> moves, Map<String, Long> before, Map<String, Long> after, long fixed) {

    /** The aim of a plan. */
    enum Aim {
        EVEN,
        PRIORITY
    }

    /**
     * One path and who is to lead it.
     *
     * @param why in a few words
     */
    record Move(LedPath led, LatchId to, String why) {}

    /**
     * Plans the least number of moves.
     *
     * @param nodes those that have answered: nobody else can be planned for
     */
    static RebalancePlan of(Aim aim, Collection<String> nodes, List<LedPath> paths) {
        return aim == Aim.EVEN ? even(List.copyOf(nodes), paths) : byRank(Set.copyOf(nodes), paths);
    }

    /** Everything to whom the nodes' own rank order prefers. */
    private static RebalancePlan byRank(Set<String> nodes, List<LedPath> paths) {
        List<Move> moves = new ArrayList<>();
        long fixed = 0;
        for (LedPath led : paths) {
            Optional<LatchId> best = led.contenders().stream()
                    .filter(contender -> nodes.contains(contender.node()))
                    .findFirst()
                    .filter(first -> !first.equals(led.leader()));
            if (best.isPresent() && led.names().contains(best.get().id())) {
                moves.add(new Move(led, best.get(), best.get() + " ranks best"));
            } else if (best.isPresent()) {
                fixed++;
            }
        }
        return of(nodes, paths, moves, fixed);
    }

    private static RebalancePlan even(List<String> nodes, List<LedPath> paths) {
        Map<String, Integer> places =
                IntStream.range(0, nodes.size()).boxed().collect(Collectors.toMap(nodes::get, i -> i));
        Map<LedPath, Thing> things = new LinkedHashMap<>();
        for (LedPath led : paths) {
            Integer origin = places.get(led.leader().node());
            if (origin != null) {
                things.put(
                        led,
                        new Thing(
                                origin,
                                successors(places.keySet(), led)
                                        .map(LatchId::node)
                                        .distinct()
                                        .mapToInt(places::get)
                                        .toArray()));
            }
        }
        EvenSpread.spread(things.values(), nodes.size());
        Map<String, Long> before = count(nodes, paths, List.of());
        List<Move> moves = new ArrayList<>();
        things.forEach((led, thing) -> {
            String to = nodes.get(thing.place());
            String from = led.leader().node();
            if (!to.equals(from)) {
                LatchId best = successors(places.keySet(), led)
                        .filter(contender -> contender.node().equals(to))
                        .findFirst()
                        .orElseThrow();
                moves.add(new Move(led, best, from + " leads " + before.get(from) + ", " + to + " " + before.get(to)));
            }
        });
        long fixed = paths.stream()
                .filter(led -> led.contenders().stream()
                        .anyMatch(contender -> places.containsKey(contender.node())
                                && !led.names().contains(contender.id())))
                .count();
        return of(nodes, paths, moves, fixed);
    }

    /** The contenders that can be named, best first. */
    private static Stream<LatchId> successors(Set<String> nodes, LedPath led) {
        return led.contenders().stream()
                .filter(contender ->
                        nodes.contains(contender.node()) && led.names().contains(contender.id()));
    }

    private static RebalancePlan of(Collection<String> nodes, List<LedPath> paths, List<Move> moves, long fixed) {
        return new RebalancePlan(List.copyOf(moves), count(nodes, paths, List.of()), count(nodes, paths, moves), fixed);
    }

    private static Map<String, Long> count(Collection<String> nodes, List<LedPath> paths, List<Move> moves) {
        Map<String, Long> count = new TreeMap<>(nodes.stream().collect(Collectors.toMap(node -> node, node -> 0L)));
        paths.forEach(led -> count.merge(led.leader().node(), 1L, Long::sum));
        for (Move move : moves) {
            count.merge(move.led().leader().node(), -1L, Long::sum);
            count.merge(move.to().node(), 1L, Long::sum);
        }
        return count;
    }
}
