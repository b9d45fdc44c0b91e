package io.quorate.compare;

import java.util.List;
import java.util.stream.Stream;

/** How much of a processor each process has, and what is measured then. */
enum Container {
    PERCENT_20(
            20,
            "nothing is lost",
            Metric.CONTAINER_20_LED,
            new Counted(
                    Metric.CONTAINER_20_LOSSES_BEFORE,
                    Metric.CONTAINER_20_SUSPENDED_BEFORE,
                    Metric.CONTAINER_20_LOST_BEFORE),
            new Counted(
                    Metric.CONTAINER_20_LOSSES_AFTER,
                    Metric.CONTAINER_20_SUSPENDED_AFTER,
                    Metric.CONTAINER_20_LOST_AFTER)),
    PERCENT_10(
            10,
            "no LOST once all are led",
            Metric.CONTAINER_10_LED,
            new Counted(
                    Metric.CONTAINER_10_LOSSES_BEFORE,
                    Metric.CONTAINER_10_SUSPENDED_BEFORE,
                    Metric.CONTAINER_10_LOST_BEFORE),
            new Counted(
                    Metric.CONTAINER_10_LOSSES_AFTER,
                    Metric.CONTAINER_10_SUSPENDED_AFTER,
                    Metric.CONTAINER_10_LOST_AFTER));

    /** What is counted in one of two periods: before all are led, and from then on. */
    record Counted(Metric losses, Metric suspended, Metric lost) {

        List<Metric> all() {
            return List.of(losses, suspended, lost);
        }

        void add(Sink sink, int latches, Progress progress) {
            sink.add(losses, latches, progress.losses());
            sink.add(suspended, latches, progress.suspended());
            sink.add(lost, latches, progress.lost());
        }
    }

    private final int percent;
    /** What the goals of its metrics say together. */
    final String goal;

    final Metric led;
    final Counted before;
    final Counted after;

    Container(int percent, String goal, Metric led, Counted before, Counted after) {
        this.percent = percent;
        this.goal = goal;
        this.led = led;
        this.before = before;
        this.after = after;
    }

    /** Of one processor, for each process. */
    int percent() {
        return percent;
    }

    /** What is counted, in both periods. */
    List<Metric> counted() {
        return Stream.concat(before.all().stream(), after.all().stream()).toList();
    }

    /** For a reader: {@code 0.2 cores}. */
    String label() {
        return Summary.number(percent / 100.0).replaceAll("0+$", "") + " cores";
    }
}
