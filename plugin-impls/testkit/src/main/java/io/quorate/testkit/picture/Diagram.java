package io.quorate.testkit.picture;

import io.quorate.testkit.picture.Focus.Window;
import io.quorate.testkit.picture.Recording.Belief;
import io.quorate.testkit.picture.Recording.Conflict;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Lead;
import io.quorate.testkit.picture.Recording.Life;
import io.quorate.testkit.picture.Recording.Mark;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.picture.Recording.Step;
import io.quorate.testkit.picture.Recording.Step.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The space-time diagram of one run, in SVG: processes as lines from the top down, messages as arrows, the belief "who
 * leads" as the colour of a line, leaders as bars, and a red band where several lead one path.
 */
final class Diagram {

    static final int WIDTH = 420;

    private static final double LEFT = 84;
    private static final double RIGHT = 30;
    private static final double BAR = 12;
    private static final double HEAD = 40;
    private static final double LABEL_HEIGHT = 10;
    private static final double LETTER = 5.2;
    /** A lost message gets so far, as a part of its way. */
    private static final double LOST_AFTER = 0.7;

    private static final double LOST_DROP = 8;
    private static final double TICK_DISTANCE = 13;
    private static final double BREAK_ABOVE = 20;
    private static final int COLOURS = 9;
    static final int BELOW = 30;

    /** With more messages than that a name is not repeated near itself: names are most of what a browser lays out. */
    static final int ALL_NAMES_MAX = 1000;

    private static final double NAME_DISTANCE = 80;

    /** Characters that no XML may have. */
    private static final Pattern NO_XML =
            Pattern.compile("[^\\t\\n\\x20-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]");

    private final Recording recording;
    private final Focus focus;
    private final TimeScale scale;
    private final Function<Message, String> notes;
    private final StringBuilder svg = new StringBuilder();
    private final List<Label> labels = new ArrayList<>();

    private record Label(String name, double x, double y, double half) {}

    private Diagram(Recording recording, Focus focus, TimeScale scale, Function<Message, String> notes) {
        this.recording = recording;
        this.focus = focus;
        this.scale = scale;
        this.notes = notes;
    }

    /**
     * Draws it.
     *
     * @param notes what is to be said of a message beside itself; empty if nothing is
     */
    static String of(Recording recording, Focus focus, TimeScale scale, Function<Message, String> notes) {
        return new Diagram(recording, focus, scale, notes).draw();
    }

    private String draw() {
        double height = scale.bottom() + BELOW;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"run\" viewBox=\"0 0 %d %.0f\" width=\"%d\""
                        + " height=\"%.0f\" role=\"img\" aria-label=\"%s\">",
                WIDTH, height, WIDTH, height, escaped(recording.title()));
        add("<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\""
                + " orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" class=\"tip\"/></marker></defs>");
        recording.conflicts().forEach(this::drawConflict);
        drawBreaks();
        drawTicks();
        recording.leads().forEach(this::drawLead);
        recording.lives().forEach(this::drawLife);
        recording.beliefs().forEach(this::drawBelief);
        for (int number = 0; number < recording.messages().size(); number++) {
            if (focus.shows(recording.messages().get(number))) {
                drawMessage(number, recording.messages().get(number));
            }
        }
        recording.marks().stream().filter(mark -> focus.shows(mark.at())).forEach(this::drawMark);
        recording.steps().stream().filter(focus::shows).forEach(this::drawStep);
        recording.processes().forEach(this::drawHead);
        return svg.append("</svg>\n").toString();
    }

    // ---------------------------------------------------------------- places

    private double x(String process) {
        int count = recording.processes().size();
        int number = recording.processes().indexOf(process);
        return count == 1 ? WIDTH / 2.0 : LEFT + number * (WIDTH - LEFT - RIGHT) / (count - 1);
    }

    private String colour(String process) {
        return "c" + Math.max(0, recording.processes().indexOf(process)) % COLOURS;
    }

    // ---------------------------------------------------------------- what does not move

    private void drawHead(String process) {
        add(
                "<text class=\"head %s\" data-process=\"%s\" x=\"%.1f\" y=\"%.0f\">%s</text>",
                colour(process), escaped(process), x(process), HEAD, escaped(process));
    }

    private void drawLife(Life life) {
        add(
                "<line class=\"life%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                life.isPaused() ? " paused" : "",
                x(life.process()),
                scale.of(life.from()),
                x(life.process()),
                scale.of(life.until()));
    }

    private void drawBelief(Belief belief) {
        String text = belief.process() + " takes " + belief.leader() + " for the leader, from "
                + Transcript.millis(belief.from()) + " to " + Transcript.millis(belief.until()) + " ms";
        add(
                "<g class=\"s\" data-at=\"%d\"><title>%s</title><line class=\"belief %s\" data-process=\"%s\""
                        + " data-leader=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/></g>",
                belief.from(),
                escaped(text),
                colour(belief.leader()),
                escaped(belief.process()),
                escaped(belief.leader()),
                x(belief.process()),
                scale.of(belief.from()),
                x(belief.process()),
                scale.of(belief.until()));
    }

    private void drawLead(Lead lead) {
        String text = lead.process() + " leads" + Transcript.with(lead) + " from " + Transcript.millis(lead.from())
                + " to " + Transcript.millis(lead.until()) + " ms";
        double top = scale.of(lead.from());
        add(
                "<g class=\"s\" data-at=\"%d\"><title>%s</title><rect class=\"lead %s\" data-process=\"%s\" x=\"%.1f\""
                        + " y=\"%.1f\" width=\"%.0f\" height=\"%.1f\" rx=\"3\"/></g>",
                lead.from(),
                escaped(text),
                colour(lead.process()),
                escaped(lead.process()),
                x(lead.process()) - BAR / 2,
                top,
                BAR,
                Math.max(2, scale.of(lead.until()) - top));
        lead.token()
                .ifPresent(token -> add(
                        "<text class=\"token\" x=\"%.1f\" y=\"%.1f\">%d</text>",
                        x(lead.process()) + BAR, top + LABEL_HEIGHT, token));
    }

    private void drawConflict(Conflict conflict) {
        String text = String.join(" and ", conflict.leaders()) + " lead at the same time, from "
                + Transcript.millis(conflict.from()) + " to " + Transcript.millis(conflict.until()) + " ms";
        double top = scale.of(conflict.from());
        add(
                "<g class=\"s\" data-at=\"%d\"><title>%s</title><rect class=\"conflict\" data-leaders=\"%s\" x=\"1\""
                        + " y=\"%.1f\" width=\"%d\" height=\"%.1f\"/></g>",
                conflict.from(),
                escaped(text),
                escaped(String.join(" ", conflict.leaders())),
                top,
                WIDTH - 2,
                Math.max(2, scale.of(conflict.until()) - top));
        add(
                "<text class=\"together\" x=\"%d\" y=\"%.1f\">%d leaders</text>",
                WIDTH - 4, top + LABEL_HEIGHT + 2, conflict.leaders().size());
    }

    private void drawBreaks() {
        long before = -1;
        for (Window window : focus.windows()) {
            if (before >= 0 && window.from() < recording.end()) {
                double y = scale.of(window.from()) - BREAK_ABOVE;
                add("<text class=\"break\" x=\"4\" y=\"%.1f\">⋯ %.0f ms</text>", y, (window.from() - before) / 1000.0);
            }
            before = window.until();
        }
    }

    private void drawTicks() {
        double last = 0;
        for (long instant : scale.instants()) {
            double y = scale.of(instant);
            if (y - last >= TICK_DISTANCE && focus.shows(instant)) {
                add("<text class=\"tick\" x=\"4\" y=\"%.1f\">%.1f</text>", y + 3, instant / 1000.0);
                last = y;
            }
        }
    }

    private void drawMark(Mark mark) {
        double y = scale.of(mark.at());
        String who = mark.process().map(process -> process + " ").orElse("");
        String title = Transcript.millis(mark.at()) + " ms: " + who + mark.text();
        if (mark.process().isPresent()) {
            Sign sign = Sign.of(mark.text());
            add(
                    "<g class=\"s mark\" data-at=\"%d\"><title>%s</title><text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text></g>",
                    mark.at(), escaped(title), sign.style, x(mark.process().get()), y + 5, escaped(sign.text));
        } else {
            add(
                    "<g class=\"s mark\" data-at=\"%d\"><title>%s</title><line class=\"fault\" x1=\"50\" y1=\"%.1f\" x2=\"%d\""
                            + " y2=\"%.1f\"/><text class=\"fault\" x=\"%d\" y=\"%.1f\">%s</text></g>",
                    mark.at(), escaped(title), y, WIDTH, y, WIDTH - 4, y - 2, escaped(mark.text()));
        }
    }

    /** Whether a step has a sign at the line of its process, because no arrow shows it. */
    static boolean hasSign(Step step) {
        return step.kind() == Kind.SUSPICION || step.kind() == Kind.TIMER;
    }

    private void drawStep(Step step) {
        String title = escaped(
                Transcript.millis(step.at()) + " ms: " + step.process() + ": " + step.event() + "\n" + step.state());
        double x = x(step.process());
        double y = scale.of(step.at());
        add("<g class=\"s step\" data-at=\"%d\"><title>%s</title>", step.at(), title);
        if (hasSign(step)) {
            String sign = step.event().replaceFirst("^suspects ", "? ").replaceFirst("^trusts ", "! ");
            add("<text class=\"why\" x=\"%.1f\" y=\"%.1f\">%s</text></g>", x + 4, y + 8, escaped(sign));
        } else {
            add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/></g>", x, y);
        }
    }

    /** A sign at the line of a process, and its class in the style of the page. */
    private record Sign(String style, String text) {

        static Sign of(String mark) {
            return switch (mark) {
                case "is gone" -> new Sign("end", "✕");
                case "starts" -> new Sign("begin", "●");
                case "goes on" -> new Sign("begin", "▶");
                case "is stopped" -> new Sign("begin", "❚❚");
                default -> new Sign("name", mark.replaceFirst("^is ", ""));
            };
        }
    }

    // ---------------------------------------------------------------- messages

    private void drawMessage(int number, Message message) {
        boolean isLost = message.fate() == Fate.LOST;
        double x1 = x(message.from());
        double y1 = scale.of(message.sent());
        double way = isLost ? LOST_AFTER : 1;
        double x2 = x1 + way * (x(message.to()) - x1);
        double y2 = isLost ? y1 + LOST_DROP : scale.of(message.ended());
        String note = notes.apply(message);
        String title = Transcript.millis(message.sent()) + " ms: " + message.from() + " → " + message.to() + " "
                + message.text() + ", " + Transcript.fate(message) + (note.isEmpty() ? "" : "\n" + note);
        boolean hasArrived = message.fate() == Fate.ARRIVED;
        add(
                "<g class=\"s m %s\" data-at=\"%d\" data-m=\"%d\"><title>%s</title><line class=\"%s%s\" x1=\"%.1f\""
                        + " y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"%s/>",
                colour(message.from()),
                message.sent(),
                number,
                escaped(title),
                message.fate().name().toLowerCase(Locale.ROOT),
                message.isRoutine() ? " routine" : "",
                x1,
                y1,
                x2,
                y2,
                hasArrived ? " marker-end=\"url(#head)\"" : "");
        if (!hasArrived) {
            add("<text class=\"cross\" x=\"%.1f\" y=\"%.1f\">✕</text>", x2, y2 + 3);
        }
        if (!message.isRoutine()) {
            drawLabel(message.name(), (x1 + x2) / 2, (y1 + y2) / 2 - 2);
        }
        svg.append("</g>\n");
    }

    /** Where there is room: the title has the name as well. */
    private void drawLabel(String name, double x, double y) {
        double half = name.length() * LETTER / 2;
        boolean isCrowded = recording.messages().size() > ALL_NAMES_MAX;
        boolean isTaken = labels.stream()
                .anyMatch(other -> Math.abs(other.y - y) < LABEL_HEIGHT && Math.abs(other.x - x) < other.half + half
                        || isCrowded && Math.abs(other.y - y) < NAME_DISTANCE && other.name.equals(name));
        if (!isTaken) {
            labels.add(new Label(name, x, y, half));
            labels.removeIf(other -> other.y < y - 10 * LABEL_HEIGHT);
            add("<text class=\"name\" x=\"%.1f\" y=\"%.1f\">%s</text>", x, y, escaped(name));
        }
    }

    // ---------------------------------------------------------------- text

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    static String escaped(String text) {
        return NO_XML.matcher(text)
                .replaceAll("\uFFFD")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
