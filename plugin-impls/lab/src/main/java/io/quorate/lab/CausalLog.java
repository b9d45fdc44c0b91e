package io.quorate.lab;

import io.quorate.testkit.picture.Focus;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.picture.Recording.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The events of a recorded run in an order that respects causality, with vector clocks: docs/lab.md#export. A recording
 * knows times only, so what arrives at a process at some instant precedes what the process sends at that instant.
 */
final class CausalLog {

    /** Kinds of events, in the order of those at one instant in one process. */
    enum Kind {
        RECEIVE,
        MARK,
        STEP,
        BELIEF,
        SEND;

        String written() {
            return this == SEND ? "send" : this == RECEIVE ? "receive" : "local";
        }
    }

    /**
     * Something that happened.
     *
     * @param at      in microseconds
     * @param process empty for the whole cluster
     * @param message its number in the recording, or -1
     * @param state   of the process afterwards, if it is known
     * @param clock   how many events of each process happened before it or are it; empty for the whole cluster
     */
    record Event(
            long at,
            String process,
            Kind kind,
            String words,
            int message,
            Optional<String> state,
            Map<String, Integer> clock) {}

    private final List<Event> events = new ArrayList<>();

    /** @param focus the part that is shown; its events alone have clocks */
    private CausalLog(Recording recording, Focus focus) {
        recording.marks().forEach(mark -> add(mark.at(), mark.process().orElse(""), Kind.MARK, mark.text()));
        addStepsAndMessages(recording, focus);
        recording
                .beliefs()
                .forEach(belief -> add(
                        belief.from(), belief.process(), Kind.BELIEF, "takes " + belief.leader() + " for the leader"));
        recording.leads().forEach(lead -> {
            add(lead.from(), lead.process(), Kind.BELIEF, "leads");
            if (lead.until() < recording.end()) {
                add(lead.until(), lead.process(), Kind.BELIEF, "no longer leads");
            }
        });
        events.sort(Comparator.comparingLong(Event::at).thenComparing(Event::kind));
        setClocks();
    }

    /** Returns the part of the run that the focus shows, in its order. */
    static List<Event> of(Recording recording, Focus focus) {
        return new CausalLog(recording, focus).events;
    }

    private void add(long at, String process, Kind kind, String words) {
        add(at, process, kind, words, -1, Optional.empty());
    }

    private void add(long at, String process, Kind kind, String words, int message, Optional<String> state) {
        events.add(new Event(at, process, kind, words, message, state, new TreeMap<>()));
    }

    /** The handling of a message at the instant at which it arrives is one event with its arrival. */
    private void addStepsAndMessages(Recording recording, Focus focus) {
        Map<String, Deque<Integer>> arriving = new LinkedHashMap<>();
        for (int number = 0; number < recording.messages().size(); number++) {
            Message message = recording.messages().get(number);
            if (focus.shows(message)) {
                String sends = "sends " + message.text() + " to " + message.to();
                add(message.sent(), message.from(), Kind.SEND, sends, number, Optional.empty());
            }
            if (focus.shows(message) && message.fate() == Fate.ARRIVED) {
                String key = key(message.to(), message.ended(), message.name() + " from " + message.from());
                arriving.computeIfAbsent(key, unknown -> new ArrayDeque<>()).add(number);
            }
        }
        // Several that arrive at one instant are handled in the order of the steps.
        for (Step step : recording.steps()) {
            boolean isHandled = step.kind() == Step.Kind.MESSAGE;
            Deque<Integer> here = arriving.get(key(step.process(), step.at(), step.event()));
            if (isHandled && here != null && !here.isEmpty()) {
                addArrival(recording, here.remove(), Optional.of(step.state()));
            } else if (step.kind() == Step.Kind.OTHER ? focus.shows(step.at()) : focus.shows(step)) {
                String words = (isHandled ? "handles " : "") + step.event();
                add(step.at(), step.process(), Kind.STEP, words, -1, Optional.of(step.state()));
            }
        }
        arriving.values()
                .forEach(numbers -> numbers.forEach(number -> addArrival(recording, number, Optional.empty())));
    }

    private void addArrival(Recording recording, int number, Optional<String> state) {
        Message message = recording.messages().get(number);
        String receives = "receives " + message.text() + " from " + message.from();
        add(message.ended(), message.to(), Kind.RECEIVE, receives, number, state);
    }

    private static String key(String process, long at, String event) {
        return at + " " + process + " " + event;
    }

    private void setClocks() {
        Map<String, Map<String, Integer>> clocks = new HashMap<>();
        Map<Integer, Map<String, Integer>> sent = new HashMap<>();
        for (Event event : events) {
            if (!event.process.isEmpty()) {
                event.clock.putAll(clocks.getOrDefault(event.process, Map.of()));
                event.clock.merge(event.process, 1, Integer::sum);
                sent.getOrDefault(event.message, Map.of())
                        .forEach((process, count) -> event.clock.merge(process, count, Math::max));
                clocks.put(event.process, event.clock);
            }
            if (event.kind == Kind.SEND) {
                sent.put(event.message, event.clock);
            }
        }
    }
}
