package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cli.EvenSpread.Thing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EvenSpreadTest {

    private static int[] loads(List<Thing> things, int places) {
        int[] loads = new int[places];
        things.forEach(thing -> loads[thing.place()]++);
        return loads;
    }

    @Test
    void thingsThatMayBeAnywhereAreSpreadEvenly() {
        List<Thing> things =
                IntStream.range(0, 10).mapToObj(i -> new Thing(0, 0, 1, 2)).toList();
        EvenSpread.spread(things, 3);
        assertThat(loads(things, 3)).containsExactlyInAnyOrder(4, 3, 3);
        assertThat(loads(things, 3)[0]).as("the fewest moves leave the rest").isEqualTo(4);
    }

    // Nothing moves from the first place to the third, but by way of the second.
    @Test
    void aPlaceIsRelievedByAChain() {
        List<Thing> things = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            things.add(new Thing(0, 0, 1));
            things.add(new Thing(1, 1, 2));
        }
        EvenSpread.spread(things, 3);
        assertThat(loads(things, 3)).containsExactlyInAnyOrder(3, 3, 2);
    }

    @Test
    void evenSpreadStays() {
        List<Thing> things = List.of(new Thing(0, 0, 1), new Thing(1, 0, 1), new Thing(0, 0));
        EvenSpread.spread(things, 2);
        assertThat(things).extracting(Thing::place).containsExactly(0, 1, 0);
    }

    @Test
    void noThingsAndNoPlacesAreFine() {
        EvenSpread.spread(List.of(), 0);
        EvenSpread.spread(List.of(new Thing(0)), 1);
    }

    // ---------------------------------------------------------------- against all ways there are

    private record Scenario(int places, int[] origins, int[][] allowed) {

        static Scenario of(Random random) {
            int places = 2 + random.nextInt(3);
            int things = random.nextInt(7);
            int[] origins = new int[things];
            int[][] allowed = new int[things][];
            for (int i = 0; i < things; i++) {
                int origin = random.nextInt(2) == 0 ? 0 : random.nextInt(places);
                origins[i] = origin;
                allowed[i] = IntStream.range(0, places)
                        .filter(place -> random.nextInt(3) > 0)
                        .toArray();
            }
            return new Scenario(places, origins, allowed);
        }

        List<Thing> things() {
            return IntStream.range(0, origins.length)
                    .mapToObj(i -> new Thing(origins[i], allowed[i]))
                    .toList();
        }

        @Override
        public String toString() {
            return places + " places, " + Arrays.toString(origins) + ", " + Arrays.deepToString(allowed);
        }

        /** The sum of squares, and the moves behind it. */
        long cost(int[] at) {
            long[] loads = new long[places];
            long moves = 0;
            for (int i = 0; i < at.length; i++) {
                loads[at[i]]++;
                moves += at[i] == origins[i] ? 0 : 1;
            }
            return Arrays.stream(loads).map(load -> load * load).sum() * 1000 + moves;
        }

        long least() {
            return least(new int[origins.length], 0);
        }

        private long least(int[] at, int next) {
            if (next == at.length) {
                return cost(at);
            }
            at[next] = origins[next];
            long least = least(at, next + 1);
            for (int place : allowed[next]) {
                at[next] = place;
                least = Math.min(least, least(at, next + 1));
            }
            return least;
        }
    }

    @Test
    void noOtherWayIsMoreEvenOrHasFewerMoves() {
        long seed = Long.getLong("seed", 20261126);
        Random random = new Random(seed);
        int moved = 0;
        for (int i = 0; i < 3000; i++) {
            Scenario scenario = Scenario.of(random);
            List<Thing> things = scenario.things();
            EvenSpread.spread(things, scenario.places);
            int[] at = things.stream().mapToInt(Thing::place).toArray();
            assertThat(scenario.cost(at))
                    .as("scenario %d of -Dseed=%d: %s", i, seed, scenario)
                    .isEqualTo(scenario.least());
            moved += Arrays.equals(at, scenario.origins) ? 0 : 1;
        }
        assertThat(moved).isGreaterThan(1000);
    }
}
