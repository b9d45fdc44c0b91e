package io.quorate.testkit.simulation;

import io.quorate.spi.Check;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Words;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The events of one election's processes, in the form of the documents' traces: a line such as
 * {@code cluster bully hardened of=4 leader=4 absent=3}, then faults {@code at 1 crash 4}, {@code start 2},
 * {@code start 2 4} (with 4 for its configured leader), {@code suspect 1 4}, {@code restore 1 4}, {@code split 12|34}
 * and {@code heal}, and {@code show 1..60}. Delta is 10, and a message takes 5. A line that begins with {@code #} is
 * the title, and text behind a line {@code ----} is not read.
 */
public final class ElectionScript {

    /** The documents draw one unit as a millisecond. */
    private static final long MICROS_PER_UNIT = 1000;

    private static final Timing TIMING = new Timing(10);
    private static final int FAULT = 2;

    private final List<String> lines;
    private final String[] header;
    private final Map<String, String> settings;
    private final int first;

    /**
     * @param text  of the script
     * @param first how the process with number 0 is written
     * @throws IllegalArgumentException if it does not begin with a line such as {@code cluster bully faithful of=3}
     */
    public ElectionScript(String text, int first) {
        this.first = first;
        lines = text.lines().takeWhile(line -> !line.equals("----")).toList();
        header = lines.stream()
                .filter(line -> !line.startsWith("#"))
                .findFirst()
                .orElse("")
                .split(" +");
        Check.argument(
                header.length > FAULT && header[0].equals("cluster"),
                "script '%s': must begin with a line such as 'cluster bully faithful of=3'",
                String.join(" ", header));
        settings = Arrays.stream(header)
                .skip(FAULT + 1)
                .collect(Collectors.toMap(one -> one.split("=", 2)[0], one -> one.substring(one.indexOf('=') + 1)));
    }

    /** The text of the leading title lines; empty if there are none. */
    public String title() {
        return lines.stream()
                .takeWhile(line -> line.startsWith("#"))
                .map(line -> line.substring(1).strip())
                .collect(Collectors.joining(" "));
    }

    public String algorithm() {
        return header[1];
    }

    public Variant variant() {
        return Variant.valueOf(header[FAULT].toUpperCase(Locale.ROOT));
    }

    /** How many processes there are. */
    public int size() {
        return Integer.parseInt(settings.get("of"));
    }

    private int process(String written) {
        return Integer.parseInt(written) - first;
    }

    private OptionalInt initialLeader() {
        String leader = settings.get("leader");
        return leader == null ? OptionalInt.empty() : OptionalInt.of(process(leader));
    }

    /** Processes of which none runs yet; {@link #schedule} has them start. */
    public ElectionCluster cluster(ElectionAlgorithm algorithm, IntFunction<Election> machines) {
        return new ElectionCluster(algorithm, size(), size(), machines);
    }

    /**
     * Has everything happen when time passes.
     *
     * @param onFault is told of each fault, in words, when it has happened
     */
    public void schedule(ElectionCluster cluster, Consumer<String[]> onFault) {
        for (int process = 0; process < size(); process++) {
            if (!settings.getOrDefault("absent", "").contains(String.valueOf(process + first))) {
                int started = process;
                cluster.at(0, () -> cluster.start(started, initialLeader()));
            }
        }
        for (String line : lines) {
            if (line.startsWith("at ")) {
                String[] words = line.split(" ");
                cluster.at(Long.parseLong(words[1]), () -> {
                    perform(cluster, words);
                    onFault.accept(Arrays.copyOfRange(words, FAULT, words.length));
                });
            }
        }
    }

    private void perform(ElectionCluster cluster, String... words) {
        int process = words.length > 3 && !words[FAULT].equals("split") ? process(words[3]) : -1;
        switch (words[FAULT]) {
            case "crash" -> cluster.crash(process);
            case "start" ->
                cluster.start(process, words.length == 4 ? OptionalInt.empty() : OptionalInt.of(process(words[4])));
            case "suspect" -> cluster.setSuspected(process, process(words[4]), true);
            case "restore" -> cluster.setSuspected(process, process(words[4]), false);
            case "split" -> cluster.cut((one, other) -> isBeforeBar(words[3], one) != isBeforeBar(words[3], other));
            case "heal" -> cluster.cut((one, other) -> false);
            default -> throw new IllegalArgumentException("unknown fault " + words[FAULT]);
        }
    }

    private boolean isBeforeBar(String split, int process) {
        return split.indexOf(String.valueOf(process + first)) < split.indexOf('|');
    }

    /** The words of the line {@code show 1..60}: from when to when it is worth a look, and what of it. */
    public String[] show() {
        return lines.stream()
                .filter(line -> line.startsWith("show "))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("script without 'show <from>..<until>'"))
                .split(" |\\.\\.");
    }

    /** The names of the processes, by number. */
    public List<String> processes() {
        return IntStream.range(first, first + size())
                .mapToObj(number -> "P" + number)
                .toList();
    }

    /** Runs it with the algorithm's own machines, and returns what was seen. */
    public Recording record(ElectionAlgorithm algorithm, Words words) {
        ElectionCluster cluster = cluster(
                algorithm,
                process ->
                        algorithm.create(Membership.of(process, size()), TIMING, new Options(variant(), false, false)));
        ElectionRecorder recorder = new ElectionRecorder(cluster, first, MICROS_PER_UNIT, words);
        recorder.watchSteps();
        schedule(cluster, fault -> mark(recorder, fault));
        cluster.runUntil(Long.parseLong(show()[2]));
        return recorder.recording(algorithm.name() + ", " + header[FAULT] + ": " + title(), "");
    }

    /** The processes show the others. */
    private static void mark(ElectionRecorder recorder, String... words) {
        if (words[0].equals("split") || words[0].equals("heal")) {
            recorder.mark(String.join(" ", words));
        }
    }
}
