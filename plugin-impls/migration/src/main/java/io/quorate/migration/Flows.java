package io.quorate.migration;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Where values of shared types go in a whole application, and which of them elections get. A value that reaches data of
 * ZooKeeper stays with Curator; another one that reaches an election becomes Quorate's.
 */
final class Flows {

    /**
     * A place that holds values of one side.
     *
     * @param type of a class that declares it; empty if it is an expression
     * @param name of a variable, a parameter, or the result of a method
     */
    record Place(String type, String name) {

        static Place of(UUID expression) {
            return new Place("", expression.toString());
        }
    }

    /** Where a value goes, in which expression. */
    private record Flow(Place from, Place to, UUID expression) {}

    static final Place ELECTION = new Place("", "election");
    static final Place DATA = new Place("", "data");

    private final List<Flow> flows = new ArrayList<>();
    /** Those of libraries, by the class that the application would have to declare. */
    private final Map<String, List<Flow>> ifForeign = new HashMap<>();

    private final Map<Place, String> files = new HashMap<>();
    private final Set<String> declared = new HashSet<>();

    private Set<Place> data = Set.of();

    /** A class of the application. */
    void declare(String type) {
        declared.add(type);
    }

    /** Where a place stands. */
    void add(Place place, String file) {
        files.putIfAbsent(place, file);
    }

    void flow(Place from, Place to, UUID expression) {
        flows.add(new Flow(from, to, expression));
    }

    /** Both hold the same values. */
    void join(Place one, Place other, UUID expression) {
        flow(one, other, expression);
        flow(other, one, expression);
    }

    /** Both hold the same values, unless the application declares this class, whose methods then say more. */
    void joinIfForeign(String type, Place one, Place other, UUID expression) {
        List<Flow> joined = ifForeign.computeIfAbsent(type, none -> new ArrayList<>());
        joined.add(new Flow(one, other, expression));
        joined.add(new Flow(other, one, expression));
    }

    /** Takes the sides, after all has been added. */
    void solve() {
        ifForeign.forEach((type, joined) -> {
            if (!declared.contains(type)) {
                flows.addAll(joined);
            }
        });
        flows.removeIf(flow -> !isKnown(flow.from) || !isKnown(flow.to));
        Map<Place, List<Place>> forward = neighbours(Flow::from, Flow::to);
        Map<Place, List<Place>> backward = neighbours(Flow::to, Flow::from);
        data = reached(List.of(DATA), backward, place -> !place.equals(ELECTION));
        Set<Place> wanted = reached(List.of(ELECTION), backward, place -> !data.contains(place));
        // A place that reaches neither has the side of the values that it gets.
        data.addAll(reached(data, forward, place -> !wanted.contains(place)));
        wanted.addAll(reached(wanted, forward, place -> !data.contains(place)));
        // And if it gets none, it stays in a file with data.
        Set<String> filesOfData = new HashSet<>();
        data.forEach(place -> filesOfData.add(files.getOrDefault(place, "")));
        List<Place> besideData = files.keySet().stream()
                .filter(place -> !wanted.contains(place) && filesOfData.contains(files.get(place)))
                .toList();
        Map<Place, List<Place>> both = new HashMap<>(forward);
        backward.forEach((place, others) -> both.merge(place, others, Flows::sum));
        data.addAll(reached(besideData, both, place -> !wanted.contains(place)));
    }

    private boolean isKnown(Place place) {
        return place.type.isEmpty() || declared.contains(place.type);
    }

    private Map<Place, List<Place>> neighbours(Function<Flow, Place> from, Function<Flow, Place> to) {
        Map<Place, List<Place>> neighbours = new HashMap<>();
        flows.forEach(flow -> neighbours
                .computeIfAbsent(from.apply(flow), none -> new ArrayList<>())
                .add(to.apply(flow)));
        return neighbours;
    }

    private static List<Place> sum(List<Place> some, List<Place> others) {
        List<Place> sum = new ArrayList<>(some);
        sum.addAll(others);
        return sum;
    }

    private static Set<Place> reached(
            Collection<Place> from, Map<Place, List<Place>> neighbours, Predicate<Place> isOpen) {
        Set<Place> reached = new HashSet<>(from);
        Deque<Place> ahead = new ArrayDeque<>(from);
        while (!ahead.isEmpty()) {
            for (Place next : neighbours.getOrDefault(ahead.remove(), List.of())) {
                if (isOpen.test(next) && reached.add(next)) {
                    ahead.add(next);
                }
            }
        }
        return reached;
    }

    /** Whether a place becomes Quorate's. */
    boolean isOfElection(Place place) {
        return !data.contains(place);
    }

    /** The expressions whose values would have to be of the other side. */
    Map<UUID, Boolean> torn() {
        Map<UUID, Boolean> torn = new HashMap<>();
        for (Flow flow : flows) {
            boolean isOfElection = isOfElection(flow.to);
            if (isOfElection != isOfElection(flow.from)) {
                torn.put(flow.expression, isOfElection);
            }
        }
        return torn;
    }
}
