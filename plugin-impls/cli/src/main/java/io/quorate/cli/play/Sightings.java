package io.quorate.cli.play;

import io.quorate.testkit.picture.Chronicle;
import io.quorate.testkit.picture.Chronicle.Led;
import io.quorate.testkit.picture.Newest;
import io.quorate.testkit.picture.Recording;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What was done to the nodes, and what they said, each with its time. All threads may use it. */
final class Sightings {

    /** More than a run of a minute has, unless something is very wrong. */
    private static final int SIGHTINGS_MAX = 10_000;

    private static final long NANOS_PER_MICRO = 1000;

    /** @param clock the life whose clock the time is of; null for ours */
    private record Sighting(long nanos, @Nullable Child clock, String node, String what, String value) {}

    private static final class Standing {
        private boolean isRunning;
        private boolean isPaused;
        private Set<Led> led = Set.of();
        private Optional<String> known = Optional.empty();
    }

    private final Newest<Sighting> all = new Newest<>(SIGHTINGS_MAX);
    private final Map<Child, Long> clocks = new HashMap<>();
    /** The lives whose clock is not ours. */
    private final Set<Child> apart = new HashSet<>();

    private final Map<String, Long> leaders = new TreeMap<>();
    private Optional<String> lastLeader = Optional.empty();
    private int ready;

    /** Something was done to a node: {@code runs}, {@code is gone}, {@code stops} or {@code goes on}. */
    synchronized void add(long nanos, String node, String what) {
        all.add(new Sighting(nanos, null, node, what, ""));
        if (what.equals("is gone")) {
            leaders.remove(node);
        }
    }

    /** Something was done to the cluster. */
    synchronized void mark(long nanos, String text) {
        all.add(new Sighting(nanos, null, "", "mark", text));
    }

    /**
     * A node said something.
     *
     * @throws IllegalArgumentException  if no node says that
     * @throws IndexOutOfBoundsException if a word is missing
     */
    synchronized void heard(long nanos, Child child, String line) {
        String[] words = line.split(" ", 3);
        long said = Long.parseLong(words[0]);
        // The clocks of two processes need not agree. A line takes some time, so the fastest one tells best how they
        // differ. If no line comes from before the start of its process or from later than now, it is one clock, and a
        // busy machine may have held up all lines.
        clocks.merge(child, nanos - said, Math::min);
        if (said < child.begun || said > nanos) {
            apart.add(child);
        }
        switch (words[1]) {
            case "ready" -> ready++;
            case "now" -> {}
            case "state", "knows", "leads" -> {
                all.add(new Sighting(said, child, child.name, words[1], words[2]));
                if (words[1].equals("leads")) {
                    onLeads(child, words[2]);
                }
            }
            default -> throw new IllegalArgumentException("unknown line of " + child.name + ": " + line);
        }
        notifyAll();
    }

    private void onLeads(Child child, String token) {
        if (token.equals(PlayedNode.NONE)) {
            leaders.remove(child.name);
        } else if (!child.isMeantToEnd()) {
            leaders.put(child.name, Long.parseLong(token));
            lastLeader = Optional.of(child.name);
        }
    }

    synchronized boolean areReady(int count) {
        return ready >= count;
    }

    synchronized boolean isLed() {
        return !leaders.isEmpty();
    }

    /** Who leads with the highest token, or who did last; empty if nobody has led. */
    synchronized Optional<String> leader() {
        return leaders.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .or(() -> lastLeader);
    }

    /**
     * What was seen from one moment to another.
     *
     * @param factor so many of our nanoseconds are one of the recording
     * @throws IOException if there was too much
     */
    synchronized Recording recording(String title, String story, List<String> nodes, long from, long until, long factor)
            throws IOException {
        if (all.forgotten() > 0) {
            throw new IOException("nodes have changed more than " + SIGHTINGS_MAX + " times: nobody could read that");
        }
        long[] now = {from};
        Chronicle chronicle = new Chronicle(nodes, () -> (now[0] - from) / factor / NANOS_PER_MICRO);
        Map<String, Standing> standings = new HashMap<>();
        all.all().stream()
                .sorted(Comparator.comparingLong(this::nanos))
                .filter(sighting -> nanos(sighting) <= until)
                .forEach(sighting -> {
                    now[0] = Math.max(from, nanos(sighting));
                    if (sighting.what.equals("mark")) {
                        chronicle.mark(sighting.value);
                    } else {
                        tell(chronicle, standings.computeIfAbsent(sighting.node, node -> new Standing()), sighting);
                    }
                });
        now[0] = until;
        return chronicle.end(title, story, List.of(), 0);
    }

    private long nanos(Sighting sighting) {
        boolean isOurs = sighting.clock == null || !apart.contains(sighting.clock);
        return sighting.nanos + (isOurs ? 0 : clocks.getOrDefault(sighting.clock, 0L));
    }

    private static void tell(Chronicle chronicle, Standing standing, Sighting sighting) {
        Optional<String> value = Optional.of(sighting.value).filter(text -> !text.equals(PlayedNode.NONE));
        if (sighting.clock != null && !standing.isRunning) {
            // It was still alive for a moment after we had begun to kill it.
            return;
        }
        switch (sighting.what) {
            case "runs" -> standing.isRunning = true;
            case "is gone" -> {
                standing.isRunning = false;
                standing.isPaused = false;
                standing.led = Set.of();
                standing.known = Optional.empty();
            }
            case "stops" -> standing.isPaused = true;
            case "goes on" -> {
                standing.isPaused = false;
                // Another one may lead by now: it has to say so again.
                standing.led = Set.of();
            }
            case "leads" ->
                standing.led = value.map(
                                token -> Set.of(new Led(PlayPlan.PATH, OptionalLong.of(Long.parseLong(token)))))
                        .orElse(Set.of());
            case "knows" -> standing.known = value;
            case "state" -> chronicle.mark(sighting.node, "is " + sighting.value);
            default -> throw new IllegalArgumentException("unknown line of " + sighting.node + ": " + sighting.what);
        }
        // A stopped process answers nobody that it leads.
        chronicle.leads(sighting.node, standing.isPaused ? Set.of() : standing.led);
        chronicle.lives(sighting.node, standing.isRunning, standing.isPaused);
        chronicle.believes(sighting.node, standing.known);
    }
}
