package io.quorate.testkit.picture;

import io.quorate.jvm.Printable;
import io.quorate.testkit.picture.Recording.Belief;
import io.quorate.testkit.picture.Recording.Conflict;
import io.quorate.testkit.picture.Recording.Lead;
import io.quorate.testkit.picture.Recording.Life;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.picture.Recording.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** A {@link Recording} as text: one line for each message and each change, by time in milliseconds. */
public final class Transcript {

    private final Recording recording;
    private final Focus focus;
    private final boolean hasSeveralPaths;
    private final List<Line> lines = new ArrayList<>();
    /** When messages were sent that are no routine, in order. */
    private final long[] told;

    private final Map<String, NavigableMap<Long, Life>> livesByBegin = new HashMap<>();
    private final Set<Begin> beliefs = new HashSet<>();

    private record Line(long at, String text) {}

    private record Begin(String process, long at) {}

    private Transcript(Recording recording, Focus focus) {
        this.recording = recording;
        this.focus = focus;
        this.hasSeveralPaths = hasSeveralPaths(recording);
        told = recording.messages().stream()
                .filter(message -> !message.isRoutine())
                .mapToLong(Message::sent)
                .toArray();
        recording.lives().forEach(life -> livesByBegin
                .computeIfAbsent(life.process(), process -> new TreeMap<>())
                .put(life.from(), life));
        recording.beliefs().forEach(belief -> beliefs.add(new Begin(belief.process(), belief.from())));
    }

    /** The text of the recording: a title, the lines, and the processes that led together. */
    public static String of(Recording recording, Focus focus) {
        return new Transcript(recording, focus).text();
    }

    private String text() {
        recording.marks().forEach(mark -> add(mark.at(), mark.process().orElse("") + "|" + mark.text()));
        addSteps();
        for (Belief belief : recording.beliefs()) {
            add(belief.from(), belief.process() + "|takes " + belief.leader() + " for the leader");
            if (endsInDoubt(belief)) {
                add(belief.until(), belief.process() + "|takes nobody for the leader");
            }
        }
        recording.leads().forEach(this::addLead);
        recording.messages().stream().filter(focus::shows).forEach(this::addMessage);
        recording
                .conflicts()
                .forEach(
                        conflict -> add(conflict.from(), "|TOGETHER LEAD " + String.join(" and ", conflict.leaders())));
        lines.sort(Comparator.comparingLong(Line::at));
        StringBuilder text = new StringBuilder(shown(recording.title())).append('\n');
        if (!recording.story().isEmpty()) {
            text.append(shown(recording.story())).append('\n');
        }
        text.append('\n');
        if (recording.forgotten() > 0) {
            text.append(recording.forgotten()).append(" earlier messages are not here\n");
        }
        appendLines(text);
        return text.append('\n').append(summary()).append('\n').toString();
    }

    /** Whether the process goes on, and takes no other one for the leader. */
    private boolean endsInDoubt(Belief ended) {
        NavigableMap<Long, Life> lives = livesByBegin.getOrDefault(ended.process(), Collections.emptyNavigableMap());
        Map.Entry<Long, Life> then = lives.floorEntry(ended.until());
        boolean goesOn = then != null && ended.until() < then.getValue().until();
        return goesOn && !beliefs.contains(new Begin(ended.process(), ended.until()));
    }

    private void appendLines(StringBuilder text) {
        int wide = 2 * longestName() + 4;
        int next = 0;
        long before = 0;
        for (Focus.Window window : focus.windows()) {
            if (window.from() > recording.end()) {
                break;
            }
            if (window.from() > before) {
                text.append("           ... ")
                        .append(millis(window.from() - before))
                        .append(" ms without a change")
                        .append(hidden(before, window.from()))
                        .append('\n');
            }
            for (; next < lines.size() && lines.get(next).at <= window.until(); next++) {
                String[] parts = lines.get(next).text.split("\\|", 2);
                text.append(String.format(Locale.ROOT, "%10s  ", millis(lines.get(next).at)))
                        .append(String.format(Locale.ROOT, "%-" + wide + "s  ", parts[0]))
                        .append(parts[1])
                        .append('\n');
            }
            before = Math.min(window.until(), recording.end());
        }
        if (before < recording.end()) {
            text.append("           ... ")
                    .append(millis(recording.end() - before))
                    .append(" ms without a change")
                    .append(hidden(before, recording.end()))
                    .append('\n');
        }
    }

    private String hidden(long from, long until) {
        int count = toldBefore(until) - toldBefore(from + 1);
        return count <= 0 ? "" : ", " + count + " messages";
    }

    private int toldBefore(long instant) {
        int low = 0;
        int high = told.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (told[middle] < instant) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int longestName() {
        return recording.processes().stream().mapToInt(String::length).max().orElse(0);
    }

    /** Names and messages of others stay in their line, and send nothing to a terminal. */
    private static String shown(String text) {
        return Printable.of(text, Integer.MAX_VALUE);
    }

    private void add(long at, String text) {
        lines.add(new Line(at, shown(text)));
    }

    private void addLead(Lead lead) {
        add(lead.from(), lead.process() + "|LEADS" + path(lead, hasSeveralPaths) + with(lead));
        if (lead.until() < recording.end()) {
            add(lead.until(), lead.process() + "|no longer leads" + path(lead, hasSeveralPaths) + with(lead));
        }
    }

    /** A suspicion, a timer, and each step that has changed a state. */
    private void addSteps() {
        Map<String, String> states = new HashMap<>();
        for (Step step : recording.steps()) {
            boolean isChanged = !step.state().equals(states.put(step.process(), step.state()));
            if (focus.shows(step) && (isChanged || Diagram.hasSign(step))) {
                add(step.at(), step.process() + "|" + step.event() + (isChanged ? " => " + step.state() : ""));
            }
        }
    }

    private static boolean hasSeveralPaths(Recording recording) {
        return recording.leads().stream().map(Lead::path).distinct().limit(2).count() > 1;
    }

    private static String path(Lead lead, boolean isOneOfSeveral) {
        return isOneOfSeveral ? " " + lead.path() : "";
    }

    static String with(Lead lead) {
        return lead.token().isPresent() ? " with token " + lead.token().getAsLong() : "";
    }

    private void addMessage(Message message) {
        add(message.sent(), message.from() + " -> " + message.to() + "|" + message.text() + ", " + fate(message));
    }

    static String fate(Message message) {
        return switch (message.fate()) {
            case ARRIVED -> "arrives " + millis(message.ended());
            case LOST -> "LOST";
            case MISSED -> "arrives " + millis(message.ended()) + ", where nobody runs";
            case ON_ITS_WAY -> "on its way at the end";
        };
    }

    /** Milliseconds with three decimals. */
    public static String millis(long micros) {
        return String.format(Locale.ROOT, "%d.%03d", micros / 1000, micros % 1000);
    }

    /** The leader in the end, and the time for which several led. */
    private String summary() {
        return summary(recording);
    }

    static String summary(Recording recording) {
        boolean hasSeveralPaths = hasSeveralPaths(recording);
        List<String> atEnd = recording.leads().stream()
                .filter(lead -> lead.until() >= recording.end())
                .map(lead -> lead.process() + path(lead, hasSeveralPaths))
                .distinct()
                .sorted()
                .toList();
        List<Conflict> conflicts = recording.conflicts();
        long together = conflicts.stream().mapToLong(c -> c.until() - c.from()).sum();
        int most = conflicts.stream().mapToInt(c -> c.leaders().size()).max().orElse(0);
        return "In the end, at " + millis(recording.end()) + " ms, "
                + (atEnd.isEmpty() ? "nobody" : String.join(" and ", atEnd))
                + (atEnd.size() > 1 ? " lead. " : " leads. ")
                + (most == 0
                        ? "Two leaders at one time were never seen."
                        : "There were " + most + " leaders at one instant; two or more for " + millis(together)
                                + " ms.");
    }
}
