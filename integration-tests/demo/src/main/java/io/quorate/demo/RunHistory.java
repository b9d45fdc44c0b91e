package io.quorate.demo;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the nodes answered, what was done to them, and whether that was right.
 *
 * <p>Judged are answers, not intentions: a process that is stopped gives none. An answer counts for the moment
 * <em>before</em> the question, and a leadership as known to exist from the moment <em>after</em> its first answer;
 * so nothing is held against a process that was paused while it answered. All methods may be called from any thread.
 */
public final class RunHistory {

    /** One process of a node; {@code number} counts its restarts from 1. */
    public record Life(String node, int number) {
        @Override
        public String toString() {
            return number == 1 ? node : node + " (start " + number + ")";
        }
    }

    /** When a run of equal answers began and ended, in nanoseconds. */
    public record Span(long firstAsked, long firstGiven, long lastAsked) {}

    /** A run of equal answers; {@code token} is 0 where the answer was false. */
    public record Answers(Life life, long token, Span span, long count) {

        boolean areTrue() {
            return token != 0;
        }

        private Answers and(Answers later) {
            Span both = new Span(span.firstAsked, span.firstGiven, later.span.lastAsked);
            return new Answers(life, token, both, count + later.count);
        }

        private String told() {
            return life + " with token " + token;
        }
    }

    /** What can be done to a node. */
    public enum Deed {
        START,
        KILL,
        STOP,
        CONT,
        CLOSE;

        boolean endsLeadership() {
            return this == KILL || this == STOP || this == CLOSE;
        }
    }

    /** Something that was done to a node. */
    public record Mark(Deed deed, String node, long atNanos) {}

    /**
     * A part of the script.
     *
     * @param title  what was done
     * @param leader who led thereafter; empty if nobody did in time, which is a fault
     * @param result what is worth knowing: usually how long it took
     */
    public record Step(String title, Optional<Answers> leader, String result) {}

    private final Map<Life, TreeMap<Long, Answers>> answers = new LinkedHashMap<>();
    private final List<Mark> marks = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();

    /** Takes a run of answers; one that began at the same moment in the same process is replaced. */
    public synchronized void add(Answers run) {
        answers.computeIfAbsent(run.life, life -> new TreeMap<>()).put(run.span.firstAsked, run);
    }

    /** Notes what was done to a node. */
    public synchronized void add(Mark mark) {
        marks.add(mark);
    }

    /** Notes how a part of the script went. */
    public synchronized void add(Step step) {
        steps.add(step);
    }

    /** What was done, in the order of {@link #add(Mark)}. */
    public synchronized List<Mark> marks() {
        return List.copyOf(marks);
    }

    /** The script so far. */
    public synchronized List<Step> steps() {
        return List.copyOf(steps);
    }

    /** All runs of answers, in the order of time. */
    public synchronized List<Answers> answers() {
        return answers.values().stream()
                .map(TreeMap::values)
                .flatMap(Collection::stream)
                .sorted(Comparator.comparingLong(run -> run.span.firstAsked))
                .toList();
    }

    /**
     * The leaderships, in the order of their first answers. Answers before and after a pause belong together if no
     * answer between them was false.
     */
    public synchronized List<Answers> reigns() {
        List<Answers> reigns = new ArrayList<>();
        for (TreeMap<Long, Answers> life : answers.values()) {
            Optional<Answers> open = Optional.empty();
            for (Answers run : life.values()) {
                boolean goesOn = open.isPresent() && open.get().token == run.token;
                if (!goesOn) {
                    open.ifPresent(reigns::add);
                }
                Answers merged = goesOn ? open.get().and(run) : run;
                open = Optional.of(merged).filter(Answers::areTrue);
            }
            open.ifPresent(reigns::add);
        }
        reigns.sort(Comparator.comparingLong(reign -> reign.span.firstGiven));
        return reigns;
    }

    /** The first leadership with a token above {@code token}. */
    public Optional<Answers> leaderAfter(long token) {
        return reigns().stream().filter(reign -> reign.token > token).findFirst();
    }

    /** The leadership with the highest token. */
    public Optional<Answers> lastLeader() {
        return reigns().stream().max(Comparator.comparingLong(Answers::token));
    }

    /**
     * How many answers {@code node} gave after {@code sinceNanos}, in runs whose first answer came after it. The first
     * question may have been asked before, by a process that was stopped until then.
     */
    public long answersSince(String node, long sinceNanos) {
        return answers().stream()
                .filter(run -> run.life.node.equals(node) && run.span.firstGiven - sinceNanos > 0)
                .mapToLong(Answers::count)
                .sum();
    }

    /** How many questions after {@code sinceNanos} the node answered with true and {@code token}, in such runs. */
    public long trueAnswersSince(String node, long sinceNanos, long token) {
        return answers().stream()
                .filter(run -> run.token == token && run.life.node.equals(node))
                .filter(run -> run.span.firstAsked - sinceNanos > 0)
                .mapToLong(Answers::count)
                .sum();
    }

    /** Each case of two leaders at one instant, as a sentence. */
    public List<String> overlaps() {
        return pairs(RunHistory::overlap);
    }

    /** Everything that must not happen, as sentences; empty if all was right. */
    public List<String> faults() {
        List<String> faults = new ArrayList<>(overlaps());
        faults.addAll(pairs(RunHistory::badTokens));
        steps().stream()
                .filter(step -> step.leader.isEmpty())
                .forEach(step -> faults.add("no leader after: " + step.title));
        return faults;
    }

    private interface Judgement {
        Optional<String> on(Answers lower, Answers higher);
    }

    private List<String> pairs(Judgement judgement) {
        List<Answers> reigns = reigns();
        List<String> found = new ArrayList<>();
        for (int i = 0; i < reigns.size(); i++) {
            for (int j = i + 1; j < reigns.size(); j++) {
                boolean isRising = reigns.get(i).token <= reigns.get(j).token;
                judgement
                        .on(reigns.get(isRising ? i : j), reigns.get(isRising ? j : i))
                        .ifPresent(found::add);
            }
        }
        return found;
    }

    private static Optional<String> overlap(Answers lower, Answers higher) {
        long tooLong = lower.span.lastAsked - higher.span.firstGiven;
        boolean isOverlap = tooLong > 0
                // Else the lower one came when the higher one was over: badTokens.
                && higher.span.lastAsked - lower.span.firstGiven > 0;
        return isOverlap
                ? Optional.of("two leaders: " + lower.told() + " still said true " + millis(tooLong) + " after "
                        + higher.told() + " had")
                : Optional.empty();
    }

    private static Optional<String> badTokens(Answers lower, Answers higher) {
        if (lower.token == higher.token) {
            return Optional.of("the same token twice: " + lower.told() + " and " + higher.told());
        }
        if (lower.span.firstAsked - higher.span.firstGiven > 0) {
            return Optional.of("tokens fell: " + lower.told() + " came after " + higher.told());
        }
        return Optional.empty();
    }

    static String millis(long nanos) {
        // A hand-over takes a few milliseconds, so that a whole number would say little.
        return nanos < 10_000_000 ? String.format("%.1f ms", nanos / 1e6) : Math.round(nanos / 1e6) + " ms";
    }
}
