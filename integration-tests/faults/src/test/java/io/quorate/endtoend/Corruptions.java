package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.HistoryCheck;
import io.quorate.history.HistoryEvent;
import io.quorate.history.HistoryEvent.Kind;
import io.quorate.history.HistoryFile;
import io.quorate.history.Report;
import io.quorate.history.Report.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Copies of the files of a real run, with one line changed: what a run would leave that breaks a rule. */
final class Corruptions {

    private final List<Path> files;
    private final Path directory;
    private final List<HistoryEvent> events;

    private Corruptions(List<Path> files, Path directory) {
        this.files = files.stream()
                .map(file -> copied(file, directory.resolve("original")))
                .toList();
        this.directory = directory;
        this.events = HistoryFile.merge(this.files).stream()
                .sorted(Comparator.comparingLong(HistoryEvent::invoked))
                .toList();
    }

    /** As it is now: the processes write on. */
    private static Path copied(Path file, Path to) {
        try {
            return Files.copy(file, Files.createDirectories(to).resolve(file.getFileName()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The judge refuses each of them, and shows the line. */
    static void assertEachIsFound(List<Path> files, Path directory) {
        Corruptions run = new Corruptions(files, directory);
        HistoryEvent first = run.all(Kind.ACQUIRED).get(0);
        HistoryEvent last = run.last(Kind.ACQUIRED);
        HistoryEvent write = run.last(Kind.ACCEPTED);
        run.assertFound(Rule.T1, first, with(first, first.client(), last.token()));
        run.assertFound(Rule.T2, first, with(first, first.client(), last.token() + 1));
        run.assertFound(Rule.F1, write, with(write, first.client(), first.token()));
        run.assertFound(Rule.F2, write, with(write, write.client(), last.token() + 1));
        run.assertFound(Rule.F3, write, with(write, "somebody", write.token()));
        HistoryEvent belief = run.all(Kind.BELIEVED_TO).stream()
                .filter(event -> event.token() == first.token())
                .reduce((one, other) -> other)
                .orElseThrow();
        run.assertFound(
                Rule.M,
                belief,
                new HistoryEvent(
                        belief.kind(),
                        belief.client(),
                        belief.path(),
                        belief.token(),
                        write.invoked(),
                        write.completed()));
    }

    private static HistoryEvent with(HistoryEvent event, String client, long token) {
        return new HistoryEvent(event.kind(), client, event.path(), token, event.invoked(), event.completed());
    }

    private List<HistoryEvent> all(Kind kind) {
        return events.stream().filter(event -> event.kind() == kind).toList();
    }

    private HistoryEvent last(Kind kind) {
        List<HistoryEvent> all = all(kind);
        return all.get(all.size() - 1);
    }

    private void assertFound(Rule rule, HistoryEvent original, HistoryEvent changed) {
        Report report = HistoryCheck.check(HistoryFile.merge(copies(original, changed)), true);
        assertThat(report.violations())
                .as(() -> changed + " for " + original)
                .anyMatch(violation ->
                        violation.rule() == rule && violation.events().contains(changed));
        assertThat(report.toString()).contains(rule + " is broken by", changed.toString());
    }

    private List<Path> copies(HistoryEvent original, HistoryEvent changed) {
        List<Path> copies = new ArrayList<>();
        try {
            for (Path file : files) {
                Path copy = directory.resolve(file.getFileName());
                Files.writeString(copy, Files.readString(file).replace(original + "\n", changed + "\n"));
                copies.add(copy);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return copies;
    }
}
