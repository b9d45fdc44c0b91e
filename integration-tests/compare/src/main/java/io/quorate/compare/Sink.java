package io.quorate.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Takes the values, and writes each to a file at once: what was measured is not lost with what fails later. */
final class Sink {

    private final Path csv;
    private final List<Sample> samples = new ArrayList<>();
    private final List<NotDone> notDone = new ArrayList<>();
    private int round;
    private ComparedSide side;
    private String algorithm;
    private int settled;

    Sink(Path csv) {
        this.csv = csv;
        write(Sample.HEADER, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    /** What comes next is of this turn; the variant is Quorate's. */
    void turn(int nextRound, ComparedSide nextSide, String nextVariant) {
        round = nextRound;
        side = nextSide;
        algorithm = nextSide == ComparedSide.QUORATE ? nextVariant : "";
    }

    /** What comes next is measured after so many seconds of idling; 0 at the beginning of each trial. */
    void settled(int seconds) {
        settled = seconds;
    }

    void add(Metric metric, double value) {
        add(metric, 1, value);
    }

    void add(Metric metric, int scale, double value) {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        Sample sample = new Sample(round, side, algorithm, metric, scale, value, settled, load);
        samples.add(sample);
        write(sample.toCsv(), StandardOpenOption.APPEND);
    }

    /** As {@link #add}, for what had no end in so many seconds; 0 if it was not begun. */
    void notDone(Metric metric, int scale, int seconds, OptionalLong led) {
        notDone.add(new NotDone(side, algorithm, metric, scale, seconds, led));
    }

    /** Whether this side of this turn did not do that at a smaller scale. */
    boolean isLessNotDone(Metric metric, int scale) {
        return notDone.stream()
                .anyMatch(less -> less.side() == side
                        && less.algorithm().equals(algorithm)
                        && less.metric() == metric
                        && less.scale() < scale);
    }

    List<Sample> samples() {
        return samples;
    }

    List<NotDone> notDone() {
        return notDone;
    }

    private void write(String line, StandardOpenOption... options) {
        try {
            Files.writeString(csv, line + "\n", options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
