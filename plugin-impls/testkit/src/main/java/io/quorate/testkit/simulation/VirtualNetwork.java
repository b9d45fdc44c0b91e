package io.quorate.testkit.simulation;

import io.quorate.spi.NodeId;
import io.quorate.testkit.model.Keyed;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Carries messages between processes in virtual time. How long the n-th message of a link takes, and whether it is lost
 * or doubled, depends on the seed, the link and n alone.
 */
public final class VirtualNetwork {

    /** A fault of one direction of a link. Troubles add up, and are taken back as they were added. */
    public enum Trouble {
        /** Nothing passes; the amount does not matter. */
        CUT,
        /** This part of a hundred messages is lost. */
        LOSS,
        /** A message takes up to so many milliseconds more, each drawn anew: so they overtake each other. */
        DELAY,
        /** This part of a hundred messages arrives twice. */
        DUPLICATION
    }

    /**
     * The fate of a sent message.
     *
     * @param number in the order of sending, over all links
     * @param sent   when, in nanoseconds
     * @param ended  when it arrived, or was lost
     */
    record Passage(long number, Flight flight, long sent, long ended, boolean isLost) {}

    private static final class Link {
        private final Keyed keyed;
        private final int[] troubles = new int[Trouble.values().length];
        private long sent;
        private long lastArrival;

        private Link(Keyed keyed) {
            this.keyed = keyed;
        }

        private int of(Trouble trouble) {
            return troubles[trouble.ordinal()];
        }

        private boolean isCut() {
            return troubles[0] > 0;
        }
    }

    private static final int DRAWS = 4;

    private final VirtualTime time;
    private final Keyed keyed;
    private final Consumer<Flight> receiver;
    private final Map<NodeId, Map<NodeId, Link>> links = new HashMap<>();
    private final List<Predicate<Flight>> drops = new ArrayList<>();
    private final Map<Class<?>, int[]> counts = new HashMap<>();
    private long delayMin = 200_000;
    private long delayMax = 1_000_000;
    private boolean isInOrder;
    private int inFlight;
    private Consumer<Flight> observer = flight -> {};
    private Consumer<Passage> witness = passage -> {};
    private long sends;

    /** @param receiver takes each message that arrives */
    VirtualNetwork(VirtualTime time, Keyed keyed, Consumer<Flight> receiver) {
        this.time = time;
        this.keyed = keyed;
        this.receiver = receiver;
    }

    void add(NodeId node) {
        Map<NodeId, Link> out = new HashMap<>();
        links.forEach((other, outOfOther) -> {
            out.put(other, new Link(keyed.of(node.value() + ">" + other.value())));
            outOfOther.put(node, new Link(keyed.of(other.value() + ">" + node.value())));
        });
        links.put(node, out);
    }

    /** How long a message takes without any trouble. */
    void delays(long minMicros, long maxMicros) {
        delayMin = minMicros * 1000;
        delayMax = maxMicros * 1000;
    }

    /** From now on no message overtakes an earlier one of its link, as on a TCP connection. */
    public void inOrder() {
        isInOrder = true;
    }

    /** The link is connected at this instant: until then one frame waits, and what comes behind it is lost. */
    public void connectsAt(NodeId from, NodeId to, long instant) {
        Link link = link(from, to);
        Flight[] first = new Flight[1];
        link.lastArrival = instant;
        drop(flight -> {
            if (!flight.from().equals(from) || !flight.to().equals(to) || time.now() >= instant) {
                return false;
            }
            first[0] = first[0] == null ? flight : first[0];
            return flight != first[0];
        });
    }

    /** Adds a trouble to one direction of a link; with a negative amount, takes it back. */
    public void trouble(NodeId from, NodeId to, Trouble trouble, int amount) {
        link(from, to).troubles[trouble.ordinal()] += amount;
    }

    /** Drops what the rule names, when it is sent and when it arrives, until {@link #forgetRules}. */
    void drop(Predicate<Flight> rule) {
        drops.add(rule);
    }

    /** Another who sees each message when it is sent. */
    void observe(Consumer<Flight> whoever) {
        observer = observer.andThen(whoever);
    }

    /** Sets the observer of each message's fate, which is called before the message is received. */
    void witness(Consumer<Passage> whoever) {
        witness = whoever;
    }

    /** Drops no more what this very rule names. */
    void allow(Predicate<Flight> rule) {
        drops.remove(rule);
    }

    void forgetRules() {
        drops.clear();
    }

    void send(Flight flight) {
        counts.computeIfAbsent(flight.message().getClass(), type -> new int[1])[0]++;
        observer.accept(flight);
        Link link = link(flight.from(), flight.to());
        if (link == null) {
            return;
        }
        long n = link.sent++ * DRAWS;
        sends++;
        if (link.isCut() || link.keyed.chance(n, link.of(Trouble.LOSS)) || isDropped(flight)) {
            witness.accept(new Passage(sends, flight, time.now(), time.now(), true));
            return;
        }
        fly(link, flight, n + 1);
        if (link.keyed.chance(n + 2, link.of(Trouble.DUPLICATION))) {
            fly(link, flight, n + 3);
        }
    }

    private void fly(Link link, Flight flight, long n) {
        inFlight++;
        long extra = link.of(Trouble.DELAY) * VirtualTime.MILLI;
        long arrival = time.now() + link.keyed.between(n, delayMin, delayMax + extra);
        if (isInOrder) {
            arrival = Math.max(arrival, link.lastArrival);
            link.lastArrival = arrival;
        }
        long number = sends;
        long sent = time.now();
        time.at(arrival, () -> {
            inFlight--;
            boolean isLost = link.isCut() || isDropped(flight);
            witness.accept(new Passage(number, flight, sent, time.now(), isLost));
            if (!isLost) {
                receiver.accept(flight);
            }
        });
    }

    private boolean isDropped(Flight flight) {
        for (Predicate<Flight> rule : drops) {
            if (rule.test(flight)) {
                return true;
            }
        }
        return false;
    }

    boolean isCut(NodeId from, NodeId to) {
        return link(from, to).isCut();
    }

    private Link link(NodeId from, NodeId to) {
        return links.get(from).get(to);
    }

    int inFlight() {
        return inFlight;
    }

    Map<String, Integer> counts() {
        Map<String, Integer> named = new TreeMap<>();
        counts.forEach((type, count) -> named.put(type.getSimpleName(), count[0]));
        return named;
    }

    void forgetCounts() {
        counts.clear();
    }
}
