package io.quorate.testkit.picture;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The place of each instant on a page, from the top down. Close events are drawn apart, and a long wait is drawn short,
 * so the scale shows the order with a hint of distance, and the numbers beside it show the time. Several runs of one
 * scenario share a scale.
 */
final class TimeScale {

    private static final double TOP = 56;
    private static final double GAP_MIN = 2;
    private static final double GAP_MAX = 26;
    /** A millisecond takes so many pixels more, four take twice as many, and so on. */
    private static final double GAP_PER_ROOT_OF_MILLI = 6;

    private static final double BREAK = 34;
    private static final double MICROS_PER_MILLI = 1000;
    /** A page that is longer is pressed together: nobody scrolls through it, but steps or searches. */
    private static final double HEIGHT_MAX = 60_000;

    /** Where little happens, there is room to draw it apart. */
    private static final double HEIGHT_ROOMY = 480;

    private static final double STRETCH_MAX = 2;

    private final NavigableMap<Long, Double> heights = new TreeMap<>();
    private double bottom;

    TimeScale(List<Recording> recordings, Focus focus) {
        this(recordings, focus, HEIGHT_MAX);
    }

    /** @param heightMax so many pixels at most, so that what happens is pressed together */
    TimeScale(List<Recording> recordings, Focus focus, double heightMax) {
        TreeSet<Long> instants = new TreeSet<>();
        for (Recording recording : recordings) {
            recording.marks().forEach(mark -> instants.add(mark.at()));
            recording.steps().stream().filter(focus::shows).forEach(step -> instants.add(step.at()));
            recording.beliefs().forEach(belief -> instants.addAll(List.of(belief.from(), belief.until())));
            recording.leads().forEach(lead -> instants.addAll(List.of(lead.from(), lead.until())));
        }
        instants.removeIf(instant -> !focus.shows(instant));
        for (Recording recording : recordings) {
            recording.messages().stream().filter(focus::shows).forEach(message -> {
                instants.add(message.sent());
                instants.add(message.ended());
            });
            instants.add(recording.end());
        }
        place(instants, focus);
        double factor = (heightMax - TOP) / (bottom - TOP);
        double roomy = Math.min(STRETCH_MAX, (HEIGHT_ROOMY - TOP) / (bottom - TOP));
        stretch(Math.min(factor, Math.max(1, roomy)));
    }

    private void stretch(double factor) {
        heights.replaceAll((instant, height) -> TOP + factor * (height - TOP));
        bottom = TOP + factor * (bottom - TOP);
    }

    private void place(SortedSet<Long> instants, Focus focus) {
        double height = TOP;
        long before = 0;
        for (long instant : instants) {
            double gap = GAP_MIN + GAP_PER_ROOT_OF_MILLI * Math.sqrt((instant - before) / MICROS_PER_MILLI);
            height += heights.isEmpty() ? 0 : Math.min(GAP_MAX, gap);
            height += !heights.isEmpty() && focus.beginsBetween(before, instant) ? BREAK : 0;
            heights.put(instant, height);
            before = instant;
        }
        bottom = height;
    }

    /** The pixel of an instant; one between two that have a place stands between them. */
    double of(long instant) {
        Map.Entry<Long, Double> at = heights.floorEntry(instant);
        Map.Entry<Long, Double> next = heights.higherEntry(instant);
        if (at == null) {
            return TOP;
        }
        if (next == null || at.getKey() == instant) {
            return at.getValue();
        }
        double part = (instant - at.getKey()) / (double) (next.getKey() - at.getKey());
        return at.getValue() + part * (next.getValue() - at.getValue());
    }

    double bottom() {
        return bottom;
    }

    /** The instants with a place of their own, in their order. */
    Iterable<Long> instants() {
        return heights.keySet();
    }
}
