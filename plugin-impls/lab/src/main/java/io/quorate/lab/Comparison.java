package io.quorate.lab;

import io.quorate.testkit.picture.Focus;
import io.quorate.testkit.picture.Picture;
import io.quorate.testkit.picture.Picture.Way;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Lead;
import io.quorate.testkit.picture.Recording.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The runs of several algorithms in one scenario, side by side: docs/lab.md#all-algorithms-side-by-side.
 *
 * @param runs one of each algorithm, all in the same ways
 */
record Comparison(List<LabRun> runs) {

    /** Without its titles, in pixels. */
    private static final int HEIGHT_MAX = 4000;

    private static final List<String> ROWS =
            List.of("messages sent", "ms until one leads again", "most leaders together", "ms without a leader");

    /** The four numbers of a run, as they are shown. They are counted from the first fault to the end of the run. */
    static List<String> figures(Recording recording) {
        long begin = begin(recording);
        long[] instants = LongStream.concat(
                        LongStream.of(begin, recording.end()),
                        recording.leads().stream().flatMapToLong(lead -> LongStream.of(lead.from(), lead.until())))
                .filter(instant -> begin <= instant && instant <= recording.end())
                .sorted()
                .distinct()
                .toArray();
        int most = 0;
        long leaderless = 0;
        long settled = recording.end();
        for (int number = 0; number + 1 < instants.length; number++) {
            long from = instants[number];
            int leaders = (int) recording.leads().stream()
                    .filter(lead -> lead.from() <= from && from < lead.until())
                    .map(Lead::process)
                    .distinct()
                    .count();
            most = Math.max(most, leaders);
            leaderless += leaders == 0 ? instants[number + 1] - from : 0;
            settled = leaders != 1 ? recording.end() : Math.min(settled, from);
        }
        long messages = recording.messages().stream()
                .filter(message -> !message.isRoutine() && message.sent() >= begin)
                .count();
        return List.of(
                // The recording of a long run only has its newest messages.
                (recording.forgotten() > 0 ? "over " : "") + messages,
                settled == recording.end() ? "never" : millis(settled - begin),
                String.valueOf(most),
                millis(leaderless));
    }

    /** When something first happens to a process or the network; the start if nothing does. */
    private static long begin(Recording recording) {
        LongStream ofProcesses = recording.lives().stream()
                .filter(life -> life.isPaused() || life.until() < recording.end())
                .mapToLong(life -> life.isPaused() ? life.from() : life.until());
        // A mark at a process only says that it starts, ends or goes on.
        LongStream ofAll = recording.marks().stream()
                .filter(mark -> mark.process().isEmpty())
                .mapToLong(Mark::at);
        return LongStream.concat(ofProcesses, ofAll).min().orElse(0);
    }

    private static String millis(long micros) {
        return String.format(Locale.ROOT, "%.1f", micros / 1000.0);
    }

    /** The title of a run without its algorithm and its way. */
    private String title() {
        return first().recording().title().replaceFirst("^.*?: ", "");
    }

    private Way first() {
        return runs.get(0).ways().get(0);
    }

    /** The runs of all algorithms in one way, from left to right. */
    private List<Way> columns(int way) {
        return runs.stream()
                .map(run -> new Way(
                        run.algorithm(),
                        run.ways().get(way).recording(),
                        run.ways().get(way).notes()))
                .toList();
    }

    /** The lines of the table, each with its cells: for each way its name and the algorithms, and then the figures. */
    private List<List<String>> table() {
        List<List<String>> lines = new ArrayList<>();
        for (int way = 0; way < runs.get(0).ways().size(); way++) {
            List<List<String>> cells = columns(way).stream()
                    .map(column -> Stream.concat(Stream.of(column.name()), figures(column.recording()).stream())
                            .toList())
                    .toList();
            String name = runs.get(0).ways().get(way).name();
            for (int row = 0; row <= ROWS.size(); row++) {
                int number = row;
                Stream<String> head = Stream.of(row == 0 ? name : "  " + ROWS.get(row - 1));
                lines.add(Stream.concat(head, cells.stream().map(ofOne -> ofOne.get(number)))
                        .toList());
            }
        }
        return lines;
    }

    String text() {
        return title() + "\n" + first().recording().story() + "\n\n"
                + table().stream()
                        .map(line -> String.format(Locale.ROOT, "%-28s", line.get(0))
                                + line.stream()
                                        .skip(1)
                                        .map(cell -> String.format(Locale.ROOT, "%14s", Lab.shown(cell)))
                                        .collect(Collectors.joining()))
                        .collect(Collectors.joining("\n"))
                + "\n";
    }

    String fileName() {
        return LabRun.fileName("all " + runs.get(0).title());
    }

    String html() {
        StringBuilder diagrams = new StringBuilder();
        for (int way = 0; way < runs.get(0).ways().size(); way++) {
            List<Way> columns = columns(way);
            Focus focus = Focus.onChanges(columns.stream().map(Way::recording).toList());
            diagrams.append("<h2>" + runs.get(0).ways().get(way).name() + "</h2>\n<div>")
                    .append(Picture.svg(columns, focus, HEIGHT_MAX))
                    .append("</div>\n");
        }
        String table = table().stream()
                .map(line -> line.stream().map(Resource::escaped).collect(Collectors.joining("<td>", "<tr><td>", "\n")))
                .collect(Collectors.joining());
        return Resource.filled(
                "comparison.html",
                Map.of(
                        "title", Resource.escaped("All algorithms: " + title()),
                        "story", Resource.escaped(first().recording().story()),
                        "table", table,
                        "diagrams", diagrams.toString()));
    }
}
