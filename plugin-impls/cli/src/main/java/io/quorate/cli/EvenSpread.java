package io.quorate.cli;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Spreads things over places, each of which may have only some of them: as evenly as can be, and of all ways to do so
 * one with the fewest moves.
 *
 * <p>Evenly means that the sum of the squares of the numbers is least. It improves on what is there along chains: a
 * thing moves from the first place to the second, one of the second to the third, and so on, so that the first has one
 * less and the last one more. Of all chains from a place the one with the fewest new moves is taken, because a thing
 * that has moved already may move on, or back. It ends when no chain improves anything: that is the optimum, as for
 * any flow of least cost.
 */
final class EvenSpread {

    /** No thing can move so. */
    private static final int NEVER = Integer.MAX_VALUE;

    private final int[] load;
    /** What can move from one place to another, by the pair of them: first what moves back, last what has not moved. */
    private final List<List<Deque<Thing>>> movable;

    /** One thing: where it was, where it is now, and where it may be. */
    static final class Thing {
        private final int origin;
        private final int[] places;
        private int at;

        /**
         * A thing.
         *
         * @param origin the place where it is
         * @param places where it may be moved to; it may stay at its origin, too
         */
        Thing(int origin, int... places) {
            this.origin = origin;
            this.at = origin;
            this.places = places.clone();
        }

        /** Where it is to be. */
        int place() {
            return at;
        }
    }

    /** The cheapest chain from a place to each other. */
    private record Chains(int[] cost, int[] before) {}

    private EvenSpread(Collection<Thing> things, int places) {
        load = new int[places];
        // Most pairs of many places never have one.
        movable = new ArrayList<>(Collections.nCopies(places * places, List.of()));
        for (Thing thing : things) {
            load[thing.at]++;
            offer(thing);
        }
    }

    /**
     * Spreads the things.
     *
     * @param places how many there are
     */
    static void spread(Collection<Thing> things, int places) {
        EvenSpread spread = new EvenSpread(things, places);
        while (spread.improve()) {
            // A move may let others move.
        }
    }

    private void offer(Thing thing) {
        offer(thing, thing.origin);
        for (int to : thing.places) {
            if (to != thing.origin) {
                offer(thing, to);
            }
        }
    }

    private void offer(Thing thing, int to) {
        if (to != thing.at) {
            int pair = thing.at * load.length + to;
            if (movable.get(pair).isEmpty()) {
                movable.set(pair, List.of(new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>()));
            }
            movable.get(pair).get(cost(thing, to) + 1).add(thing);
        }
    }

    private static int cost(Thing thing, int to) {
        return (to == thing.origin ? 0 : 1) - (thing.at == thing.origin ? 0 : 1);
    }

    /** The cheapest thing for this move; null for none. */
    private @Nullable Thing cheapest(int from, int to) {
        for (Deque<Thing> things : movable.get(from * load.length + to)) {
            while (!things.isEmpty()) {
                Thing first = things.peek();
                if (first.at == from) {
                    return first;
                }
                things.remove();
            }
        }
        return null;
    }

    /** Relieves the fullest place first, as far as that goes. Answers whether anything has moved. */
    private boolean improve() {
        List<Integer> fullest = IntStream.range(0, load.length)
                .boxed()
                .sorted(Comparator.comparing((Integer place) -> load[place]).reversed())
                .toList();
        boolean hasMoved = false;
        for (int from : fullest) {
            while (relieve(from)) {
                hasMoved = true;
            }
        }
        return hasMoved;
    }

    private boolean relieve(int from) {
        Chains chains = chains(from);
        int best = best(from, chains);
        if (best >= 0) {
            move(chains, best);
        }
        return best >= 0;
    }

    /** Where a chain from this place had better end; -1 for nowhere. */
    private int best(int from, Chains chains) {
        int best = -1;
        for (int to = 0; to < load.length; to++) {
            boolean isEnd = to != from && chains.cost[to] != NEVER && load[to] < load[from];
            boolean improves = isEnd && (load[from] - load[to] > 1 || chains.cost[to] < 0);
            if (improves
                    && (best < 0
                            || load[to] < load[best]
                            || load[to] == load[best] && chains.cost[to] < chains.cost[best])) {
                best = to;
            }
        }
        return best;
    }

    /** By Bellman and Ford: a move back costs less than nothing. */
    private Chains chains(int from) {
        Chains chains = new Chains(new int[load.length], new int[load.length]);
        Arrays.fill(chains.cost, NEVER);
        chains.cost[from] = 0;
        chains.before[from] = -1;
        Deque<Integer> changed = new ArrayDeque<>(List.of(from));
        while (!changed.isEmpty()) {
            int place = changed.remove();
            for (int to = 0; to < load.length; to++) {
                if (place != to && shorten(chains, place, to) && !changed.contains(to)) {
                    changed.add(to);
                }
            }
        }
        return chains;
    }

    private boolean shorten(Chains chains, int place, int to) {
        Thing thing = cheapest(place, to);
        if (thing == null || chains.cost[place] + cost(thing, to) >= chains.cost[to]) {
            return false;
        }
        chains.cost[to] = chains.cost[place] + cost(thing, to);
        chains.before[to] = place;
        return true;
    }

    private void move(Chains chains, int end) {
        List<Thing> moved = new ArrayList<>();
        List<Integer> ends = new ArrayList<>();
        for (int to = end; chains.before[to] >= 0; to = chains.before[to]) {
            Thing thing = cheapest(chains.before[to], to);
            if (thing == null) {
                throw new IllegalStateException("nothing moves from " + chains.before[to] + " to " + to);
            }
            moved.add(thing);
            ends.add(to);
        }
        for (int i = 0; i < moved.size(); i++) {
            Thing thing = moved.get(i);
            load[thing.at]--;
            thing.at = ends.get(i);
            load[thing.at]++;
            offer(thing);
        }
    }
}
