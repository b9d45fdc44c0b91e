package io.quorate.lab;

import io.quorate.testkit.picture.Focus;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.picture.Recording.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
        SEND,
        /** The arrival of a message at the instant of its sending. */
        RECEIVE_AT_ONCE;

        String written() {
            return this == SEND ? "send" : this == RECEIVE || this == RECEIVE_AT_ONCE ? "receive" : "local";
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
        Map<String, List<Step>> handled = new HashMap<>();
        for (Step step : recording.steps()) {
            if (step.kind() == Step.Kind.MESSAGE) {
                handled.computeIfAbsent(key(step.process(), step.at()), key -> new ArrayList<>())
                        .add(step);
            } else if (step.kind() == Step.Kind.OTHER ? focus.shows(step.at()) : focus.shows(step)) {
                add(step.at(), step.process(), Kind.STEP, step.event(), -1, Optional.of(step.state()));
            }
        }
        for (int number = 0; number < recording.messages().size(); number++) {
            Message message = recording.messages().get(number);
            if (focus.shows(message)) {
                add(
                        message.sent(),
                        message.from(),
                        Kind.SEND,
                        "sends " + message.text() + " to " + message.to(),
                        number,
                        Optional.empty());
                if (message.fate() == Fate.ARRIVED) {
                    List<Step> here = handled.getOrDefault(key(message.to(), message.ended()), new ArrayList<>());
                    Optional<Step> step = here.stream()
                            .filter(one -> one.event().startsWith(message.name() + " from "))
                            .findFirst();
                    step.ifPresent(here::remove);
                    add(
                            message.ended(),
                            message.to(),
                            message.ended() == message.sent() ? Kind.RECEIVE_AT_ONCE : Kind.RECEIVE,
                            "receives " + message.text() + " from " + message.from(),
                            number,
                            step.map(Step::state));
                }
            }
        }
        handled.values().stream()
                .flatMap(List::stream)
                .filter(focus::shows)
                .forEach(step -> add(
                        step.at(),
                        step.process(),
                        Kind.STEP,
                        "handles " + step.event(),
                        -1,
                        Optional.of(step.state())));
    }

    private static String key(String process, long at) {
        return at + " " + process;
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
