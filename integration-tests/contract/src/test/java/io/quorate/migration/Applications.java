package io.quorate.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.HistoryCheck;
import io.quorate.history.HistoryEvent;
import io.quorate.history.HistoryEvent.Kind;
import io.quorate.history.Report;
import io.quorate.process.ChildJvm;
import io.quorate.testkit.Deadline;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** The processes of one application. They are ended by {@link #close}, and by themselves if this JVM is killed. */
final class Applications implements AutoCloseable {

    /** One report, or one portion of the cache: by which process, in which tenure of it, and when. */
    record Work(String process, long tenure, long nanos) {}

    private final Class<?> main;
    private final Map<String, String> connectTo;
    private final Path directory;
    private final Optional<Path> without;
    private final List<ChildJvm> all = new ArrayList<>();
    private final Map<String, ChildJvm> latest = new TreeMap<>();

    /**
     * No process yet.
     *
     * @param connectTo the second argument of each process, by id
     * @param directory for their logs
     */
    Applications(Class<?> main, Map<String, String> connectTo, Path directory) {
        this(main, connectTo, directory, Optional.empty());
    }

    /**
     * As {@link #Applications(Class, Map, Path)}.
     *
     * @param without an entry of this JVM's class path that theirs lacks
     */
    Applications(Class<?> main, Map<String, String> connectTo, Path directory, Optional<Path> without) {
        this.main = main;
        this.connectTo = new LinkedHashMap<>(connectTo);
        this.directory = directory;
        this.without = without;
    }

    void startAll() {
        connectTo.keySet().forEach(this::start);
    }

    /** Starts a process, or another one with the id of one that has ended. */
    void start(String id) {
        ChildJvm process = ChildJvm.start(
                id + "-" + (all.size() + 1),
                words(id),
                Map.of(),
                directory.resolve(id + "-" + (all.size() + 1) + ".log"));
        all.add(process);
        latest.put(id, process);
    }

    private List<String> words(String id) {
        List<String> words = new ArrayList<>(ChildJvm.Command.of(main, List.of(id, connectTo.get(id)), ChildJvm.SMALL)
                .words());
        without.ifPresent(left -> {
            int place = words.indexOf("-cp") + 1;
            List<String> classPath = new ArrayList<>(List.of(words.get(place).split(File.pathSeparator)));
            assertThat(classPath.remove(left.toString()))
                    .as("%s is one of %s", left, classPath)
                    .isTrue();
            words.set(place, String.join(File.pathSeparator, classPath));
        });
        return words;
    }

    /** Waits for a condition; if it does not come true, the message tells what the processes did. */
    void await(String what, BooleanSupplier condition) {
        // Justification: looks again soon.
        Deadline.repeat(
                () -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50)), condition, () -> what + describe());
    }

    String describe() {
        return all.stream()
                // Every run of the job would push the rest out.
                .map(process -> process.describe(process.said().stream()
                        .filter(line -> !line.startsWith("job ran"))
                        .toList()))
                .collect(Collectors.joining("\n  ", "\n  ", ""));
    }

    /** The id with which a process was started. */
    static String id(ChildJvm process) {
        return process.name().substring(0, process.name().indexOf('-'));
    }

    /** Waits until all that run see the same, namely all of them and a leader, and answers who that is. */
    ChildJvm awaitAgreement() {
        List<ChildJvm> running = running();
        String participants =
                " participants=" + running.stream().map(Applications::id).collect(Collectors.joining(","));
        List<String> views = running.stream()
                .map(process -> "leader=" + id(process) + participants)
                .toList();
        List<String> seen = new ArrayList<>();
        await("all see all and one leader", () -> {
            seen.clear();
            running.forEach(process -> seen.add(process.ask("status")));
            return seen.stream().distinct().count() == 1 && views.contains(seen.get(0));
        });
        return running.get(views.indexOf(seen.get(0)));
    }

    /** Those that have not ended, in the order of their ids. */
    List<ChildJvm> running() {
        return latest.values().stream().filter(ChildJvm::isAlive).toList();
    }

    /** Waits until the job runs, in a process other than this one or in a later process of its id. */
    void awaitJobBesides(ChildJvm process) {
        // Justification: an instant of this test, with which processes compare theirs.
        long since = System.nanoTime();
        await("the job goes on without " + process.name(), () -> work("job ran ").stream()
                .anyMatch(run -> run.nanos() > since && !run.process().equals(process.name())));
    }

    /** Waits until every process has refreshed the cache {@code turns} times, each time after another one did. */
    void awaitTurns(int turns) {
        await("all take " + turns + " turns", () -> {
            Map<String, Integer> taken = turns(work("cache refreshed "));
            return running().stream().allMatch(process -> taken.getOrDefault(process.name(), 0) >= turns);
        });
    }

    /** How often each process began to refresh the cache after another one. */
    static Map<String, Integer> turns(List<Work> refreshed) {
        Map<String, Integer> turns = new TreeMap<>();
        String before = "";
        for (Work work : refreshed) {
            if (!work.process().equals(before)) {
                turns.merge(work.process(), 1, Integer::sum);
            }
            before = work.process();
        }
        return turns;
    }

    /** What was done under leadership, in the order of time. */
    private List<Work> work(String words) {
        return all.stream()
                .flatMap(process -> process.said(words).stream().map(said -> {
                    long[] numbers = Arrays.stream(said.split(" "))
                            .mapToLong(Long::parseLong)
                            .toArray();
                    return new Work(process.name(), numbers[0], numbers[1]);
                }))
                .sorted(Comparator.comparingLong(Work::nanos))
                .toList();
    }

    /** The judgement on when the job ran and the cache was refreshed: never in two processes at one instant. */
    Report report() {
        List<HistoryEvent> events = new ArrayList<>();
        work("job ran ").forEach(run -> addBelief(events, "/reports/leader", run));
        work("cache refreshed ").forEach(run -> addBelief(events, "/reports/cache", run));
        return HistoryCheck.check(events, true);
    }

    private static void addBelief(List<HistoryEvent> events, String path, Work work) {
        for (Kind kind : List.of(Kind.BELIEVED_FROM, Kind.BELIEVED_TO)) {
            events.add(new HistoryEvent(kind, work.process(), path, work.tenure(), work.nanos(), work.nanos()));
        }
    }

    @Override
    public void close() {
        all.forEach(ChildJvm::kill);
        try {
            for (ChildJvm process : all) {
                process.awaitExit();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
