package io.quorate.demo;

import io.quorate.demo.RunHistory.Answers;
import io.quorate.demo.RunHistory.Deed;
import io.quorate.demo.RunHistory.Mark;
import io.quorate.demo.RunHistory.Step;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A self-contained page: per node a lane with its life, its leadership and what was done to it; and the table. */
final class TimelinePage {

    private static final int WIDTH = 1120;
    private static final int LEFT = 70;
    private static final int RIGHT = 30;
    private static final int TOP = 64;
    private static final int LANE = 84;
    private static final int BAR_TOP = 40;
    private static final int BAR_HEIGHT = 30;
    /** Labels of marks that are nearer than this go to different rows. */
    private static final int LABEL_WIDTH = 48;

    private static final int CHARACTER_WIDTH = 9;

    private final RunHistory history;
    private final Verdict verdict;
    private final long start;
    private final long end;
    private final StringBuilder svg = new StringBuilder();

    TimelinePage(RunHistory history, Verdict verdict, long startNanos) {
        this.history = history;
        this.verdict = verdict;
        this.start = startNanos;
        long last = startNanos + 1_000_000_000;
        for (Answers run : history.answers()) {
            last = Math.max(last, run.span().lastAsked());
        }
        this.end = last;
    }

    /** The page. */
    String html(String subtitle) {
        return template()
                .replace("@subtitle@", text(subtitle))
                .replace("@verdict@", verdict())
                .replace("@rows@", rows())
                .replace("@timeline@", timeline());
    }

    private static String template() {
        try (InputStream in = TimelinePage.class.getResourceAsStream("timeline.html")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String verdict() {
        StringBuilder html = new StringBuilder("<p class=\"" + (verdict.exitCode() == 0 ? "good" : "bad") + "\">"
                + text(verdict.overlaps()) + ".</p>");
        verdict.reasons().forEach(reason -> html.append("<p class=\"bad\">Failed: ")
                .append(text(reason))
                .append("</p>"));
        return html.toString();
    }

    private String rows() {
        StringBuilder rows = new StringBuilder();
        for (Step step : history.steps()) {
            String leader = step.leader().map(answers -> answers.life().node()).orElse("none");
            String token =
                    step.leader().map(answers -> Long.toString(answers.token())).orElse("");
            rows.append("<tr><td>")
                    .append(text(step.title()))
                    .append("</td><td>")
                    .append(leader)
                    .append("</td><td class=\"number\">")
                    .append(token)
                    .append("</td><td class=\"number\">")
                    .append(text(step.result()))
                    .append("</td></tr>\n");
        }
        return rows.toString();
    }

    private String timeline() {
        List<String> nodes =
                history.marks().stream().map(Mark::node).distinct().sorted().toList();
        int bottom = TOP + LANE * nodes.size();
        svg.append(String.format(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Timeline\">%n", WIDTH, bottom + 48));
        svg.append("<defs><pattern id=\"stopped\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"")
                .append(" patternTransform=\"rotate(45)\"><rect class=\"stripe\" width=\"3\" height=\"8\"/>")
                .append("</pattern></defs>\n");
        axis(bottom);
        interregna(bottom);
        for (int i = 0; i < nodes.size(); i++) {
            lane(nodes.get(i), TOP + LANE * i);
        }
        return svg.append("</svg>").toString();
    }

    private void axis(int bottom) {
        long stepMillis = (end - start) / 1_000_000 > 14_000 ? 2000 : 1000;
        for (long millis = 0; millis <= (end - start) / 1_000_000; millis += stepMillis) {
            double x = x(start + millis * 1_000_000);
            line("grid", x, TOP, bottom);
            label("tick", x, bottom + 18, Long.toString(millis));
        }
        label("tick", (WIDTH + LEFT - RIGHT) / 2.0, bottom + 40, "milliseconds since the start of the first JVM");
    }

    /** Shades the times without a leader, each from the deed that caused it, and says how long they were. */
    private void interregna(int bottom) {
        List<Answers> reigns = history.reigns();
        for (int i = 0; i < reigns.size(); i++) {
            long to = reigns.get(i).span().firstGiven();
            long from = i == 0 ? start : endOf(reigns.get(i - 1), to);
            if (from < to) {
                rect("interregnum", from, to, TOP, bottom - TOP);
                label("gap", (x(from) + x(to)) / 2, TOP - 14, RunHistory.millis(to - from));
            }
        }
        label("lane", LEFT - 10, TOP - 14, "no leader");
    }

    private long endOf(Answers reign, long next) {
        return history.marks().stream()
                .filter(mark -> mark.node().equals(reign.life().node())
                        && mark.deed().endsLeadership()
                        && mark.atNanos() - reign.span().firstGiven() > 0
                        && mark.atNanos() - next < 0)
                .mapToLong(Mark::atNanos)
                .min()
                .orElse(reign.span().lastAsked());
    }

    private void lane(String node, int top) {
        List<Mark> marks = history.marks().stream()
                .filter(mark -> mark.node().equals(node))
                .sorted(Comparator.comparingLong(Mark::atNanos))
                .toList();
        label("lane name", LEFT - 14, top + BAR_TOP + BAR_HEIGHT / 2 + 6, node);
        lives(marks, top + BAR_TOP);
        for (Answers reign : history.reigns()) {
            if (reign.life().node().equals(node)) {
                reign(reign, top + BAR_TOP);
            }
        }
        marks(marks, top);
    }

    /** The times at which the process existed, and on top of them those at which it stood still. */
    private void lives(List<Mark> marks, int top) {
        periods(
                marks.stream()
                        .filter(mark -> mark.deed() != Deed.STOP && mark.deed() != Deed.CONT)
                        .toList(),
                "life",
                top);
        periods(
                marks.stream()
                        .filter(mark -> mark.deed() == Deed.STOP || mark.deed() == Deed.CONT)
                        .toList(),
                "pause",
                top);
    }

    private void periods(List<Mark> beginsAndEnds, String kind, int top) {
        Optional<Long> since = Optional.empty();
        for (Mark mark : beginsAndEnds) {
            if (since.isEmpty()) {
                since = Optional.of(mark.atNanos());
            } else {
                rect(kind, since.get(), mark.atNanos(), top, BAR_HEIGHT);
                since = Optional.empty();
            }
        }
        since.ifPresent(from -> rect(kind, from, end, top, BAR_HEIGHT));
    }

    private void reign(Answers reign, int top) {
        List<Answers> runs = history.answers().stream()
                .filter(run -> run.life().equals(reign.life()) && run.token() == reign.token())
                .toList();
        // Run by run, because no answer was given between them.
        runs.forEach(run -> rect("reign", run.span().firstGiven(), run.span().lastAsked(), top, BAR_HEIGHT));
        double from = x(reign.span().firstGiven());
        double width = x(reign.span().lastAsked()) - from;
        String token = Long.toString(reign.token());
        String text = width < CHARACTER_WIDTH * (token.length() + 6) ? token : "token " + token;
        label("token", from + width / 2, top + BAR_HEIGHT / 2 + 5, text);
    }

    private void marks(List<Mark> marks, int top) {
        List<Double> lastInRow = new ArrayList<>(List.of(-1e9, -1e9));
        for (Mark mark : marks) {
            double x = x(mark.atNanos());
            int row = x - lastInRow.get(0) < LABEL_WIDTH ? 1 : 0;
            lastInRow.set(row, x);
            String kind = mark.deed().name().toLowerCase(Locale.ROOT);
            line("mark " + kind, x, top + BAR_TOP - 8 - 14 * row, top + BAR_TOP + BAR_HEIGHT + 4);
            label(
                    "deed " + kind,
                    Math.max(x, LEFT + LABEL_WIDTH / 2.0),
                    top + BAR_TOP - 12 - 14 * row,
                    mark.deed().name());
        }
    }

    private double x(long nanos) {
        return LEFT + (nanos - start) * (double) (WIDTH - LEFT - RIGHT) / (end - start);
    }

    private void rect(String kind, long from, long to, int top, int height) {
        svg.append(String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
                kind,
                x(from),
                top,
                Math.max(x(to) - x(from), 0.5),
                height));
    }

    private void line(String kind, double x, int top, int bottom) {
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n",
                kind,
                x,
                top,
                x,
                bottom));
    }

    private void label(String kind, double x, int baseline, String label) {
        svg.append(String.format(
                Locale.ROOT, "<text class=\"%s\" x=\"%.1f\" y=\"%d\">%s</text>%n", kind, x, baseline, text(label)));
    }

    private static String text(String raw) {
        return raw.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
