package io.quorate.testkit.picture;

import io.quorate.spi.Printable;
import io.quorate.testkit.picture.Recording.Belief;
import io.quorate.testkit.picture.Recording.Conflict;
import io.quorate.testkit.picture.Recording.Lead;
import io.quorate.testkit.picture.Recording.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A {@link Recording} as text: one line for each message and each change, by time in milliseconds. */
public final class Transcript {

    private final Recording recording;
    private final Focus focus;
    private final boolean hasSeveralPaths;
    private final List<Line> lines = new ArrayList<>();

    private record Line(long at, String text) {}

    private Transcript(Recording recording, Focus focus) {
        this.recording = recording;
        this.focus = focus;
        this.hasSeveralPaths = hasSeveralPaths(recording);
    }

    /** What is shown of the recording: a title, the lines, and who led together. */
    public static String of(Recording recording, Focus focus) {
        return new Transcript(recording, focus).text();
    }

    private String text() {
        recording.marks().forEach(mark -> add(mark.at(), mark.process().orElse("") + "|" + mark.text()));
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
        boolean goesOn = recording.lives().stream()
                .anyMatch(life -> life.process().equals(ended.process())
                        && life.from() <= ended.until()
                        && ended.until() < life.until());
        return goesOn
                && recording.beliefs().stream()
                        .noneMatch(next -> next.process().equals(ended.process()) && next.from() == ended.until());
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
        long count = recording.messages().stream()
                .filter(message -> !message.isRoutine() && from < message.sent() && message.sent() < until)
                .count();
        return count == 0 ? "" : ", " + count + " messages";
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
    static String millis(long micros) {
        return String.format(Locale.ROOT, "%d.%03d", micros / 1000, micros % 1000);
    }

    /** Who led in the end, and for how long several did. */
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
                        ? "There were never two leaders."
                        : "There were " + most + " leaders at one instant; two or more for " + millis(together)
                                + " ms.");
    }
}
