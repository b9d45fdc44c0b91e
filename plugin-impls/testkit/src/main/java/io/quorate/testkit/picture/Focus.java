package io.quorate.testkit.picture;

import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.picture.Recording.Step;
import io.quorate.testkit.picture.Recording.Step.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which times of a run are worth to be shown: those around what changed. An idle cluster sends hundreds of messages a
 * second in which nothing changes.
 */
public final class Focus {

    /** What led to a change, and what it led to, is this near, in microseconds: some delays and some time-outs. */
    private static final long NEAR = 60_000;

    /** A kind of message that was not sent for so long is worth a look, in microseconds. */
    private static final long LONG_SILENCE = 1_000_000;

    /**
     * A time that is shown.
     *
     * @param until included
     */
    public record Window(long from, long until) {
        boolean contains(long instant) {
            return from <= instant && instant <= until;
        }
    }

    private final List<Window> windows;
    private final NavigableMap<Long, Window> byBegin = new TreeMap<>();
    private final boolean isWhole;

    private Focus(List<Window> windows, boolean isWhole) {
        this.windows = List.copyOf(windows);
        windows.forEach(window -> byBegin.put(window.from(), window));
        this.isWhole = isWhole;
    }

    /** Everything, routine messages included. */
    public static Focus whole(List<Recording> recordings) {
        long end = recordings.stream().mapToLong(Recording::end).max().orElse(0);
        return new Focus(List.of(new Window(0, end)), true);
    }

    /** The times around the changes in any of these runs: so the same times of all of them are shown. */
    public static Focus onChanges(List<Recording> recordings) {
        TreeSet<Long> instants = new TreeSet<>();
        recordings.forEach(recording -> addInstants(recording, instants));
        List<Window> windows = new ArrayList<>();
        for (long instant : instants) {
            long from = Math.max(0, instant - NEAR);
            Window last = windows.isEmpty() ? new Window(-1, -1) : windows.get(windows.size() - 1);
            if (from <= last.until()) {
                windows.set(windows.size() - 1, new Window(last.from(), instant + NEAR));
            } else {
                windows.add(new Window(from, instant + NEAR));
            }
        }
        return new Focus(windows, false);
    }

    /** The same without what is over before this instant, in microseconds. */
    public Focus from(long instant) {
        return new Focus(
                windows.stream().filter(window -> window.until() >= instant).toList(), isWhole);
    }

    private static void addInstants(Recording recording, Set<Long> instants) {
        instants.add(0L);
        recording.marks().forEach(mark -> instants.add(mark.at()));
        recording.steps().stream()
                .filter(step -> step.kind() == Kind.SUSPICION)
                .forEach(step -> instants.add(step.at()));
        recording.beliefs().forEach(belief -> {
            instants.add(belief.from());
            instants.add(belief.until());
        });
        recording.leads().forEach(lead -> {
            instants.add(lead.from());
            instants.add(lead.until());
        });
        Map<String, Long> last = new HashMap<>();
        for (Message message : recording.messages()) {
            if (!message.isRoutine()) {
                Long before = last.put(message.name(), message.sent());
                if (before == null || message.sent() - before > LONG_SILENCE) {
                    instants.add(message.sent());
                }
            }
        }
        instants.removeIf(instant -> instant > recording.end());
    }

    /** Whether this message is shown. */
    public boolean shows(Message message) {
        return (isWhole || !message.isRoutine()) && shows(message.sent());
    }

    /** Whether this step is shown. A start shows by itself. */
    public boolean shows(Step step) {
        return step.kind() != Kind.OTHER && shows(step.at());
    }

    /** Whether this instant is shown. */
    public boolean shows(long instant) {
        Map.Entry<Long, Window> begun = byBegin.floorEntry(instant);
        return begun != null && begun.getValue().contains(instant);
    }

    /** Whether a time that is shown begins after one instant, and not after the other. */
    boolean beginsBetween(long before, long instant) {
        Long next = byBegin.higherKey(before);
        return next != null && next <= instant;
    }

    /** The times that are shown, in their order; between two of them nothing changes. */
    public List<Window> windows() {
        return windows;
    }
}
