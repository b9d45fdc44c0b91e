package io.quorate.history;

import io.quorate.history.HistoryEvent.Kind;
import io.quorate.history.Report.Overlap;
import io.quorate.history.Report.Rule;
import io.quorate.history.Report.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Judges a history by the rules of {@link Rule}, in O(n log n). Only what is certain is a violation: where the times of
 * two events overlap, or a reply was lost, either order and either outcome is taken for possible.
 */
public final class HistoryCheck {

    private static final Comparator<HistoryEvent> BY_INVOCATION = Comparator.comparingLong(HistoryEvent::invoked);
    private static final Comparator<HistoryEvent> BY_COMPLETION = Comparator.comparingLong(HistoryEvent::completed);

    /** Who believed in which tenure. */
    private record Tenure(String client, long token) {}

    /** From when to when a client certainly believed that it leads; without an end, if that is lost. */
    private static final class Belief {
        private HistoryEvent first;
        private HistoryEvent last;

        private long from() {
            return first.completed();
        }

        private long to() {
            return last == null ? from() : last.invoked();
        }

        private long possiblyTo() {
            return last == null ? HistoryEvent.NEVER : last.invoked();
        }

        /** The instants of later answers: the first is the earliest known, the last the latest. */
        private void add(HistoryEvent event) {
            if (event.kind() == Kind.BELIEVED_FROM) {
                first = first == null || event.completed() < first.completed() ? event : first;
            } else {
                last = last == null || event.invoked() > last.invoked() ? event : last;
            }
        }
    }

    /** Two beliefs that overlap; the earlier one ends last of all that began before the later one. */
    private record Pair(Belief earlier, Belief later) {

        private long nanos() {
            return Math.min(earlier.to(), later.to()) - later.from();
        }

        private Violation violation() {
            return new Violation(Rule.M, List.of(earlier.first, earlier.last, later.first));
        }
    }

    private final boolean claimsLeases;
    private final List<Violation> violations = new ArrayList<>();
    private int overlaps;
    private long overlapNanos;
    private int possibleOverlaps;

    private HistoryCheck(boolean claimsLeases) {
        this.claimsLeases = claimsLeases;
    }

    /**
     * Judges it.
     *
     * @param claimsLeases whether two leaders at one instant are a violation; else they are only counted
     */
    public static Report check(Collection<HistoryEvent> events, boolean claimsLeases) {
        List<HistoryEvent> history = events.stream().sorted(BY_INVOCATION).toList();
        Map<String, List<HistoryEvent>> paths = new TreeMap<>();
        history.forEach(event ->
                paths.computeIfAbsent(event.path(), path -> new ArrayList<>()).add(event));
        HistoryCheck check = new HistoryCheck(claimsLeases);
        paths.values().forEach(check::checkPath);
        return new Report(
                history,
                List.copyOf(check.violations),
                new Overlap(check.overlaps, check.overlapNanos, check.possibleOverlaps));
    }

    private void checkPath(List<HistoryEvent> history) {
        List<HistoryEvent> acquired = of(Kind.ACQUIRED, history);
        List<HistoryEvent> issued = acquired.stream()
                .filter(event -> event.token() != HistoryEvent.UNKNOWN)
                .toList();
        List<HistoryEvent> accepted = of(Kind.ACCEPTED, history);
        tokensAreUnique(issued);
        tokensNeverFall(Rule.T2, issued);
        tokensNeverFall(Rule.F1, accepted);
        acceptedTokensWereIssued(acquired, accepted);
        onlyOneBelieves(history);
    }

    private static List<HistoryEvent> of(Kind kind, List<HistoryEvent> history) {
        return history.stream().filter(event -> event.kind() == kind).toList();
    }

    private void broken(Rule rule, HistoryEvent... events) {
        violations.add(new Violation(rule, List.of(events)));
    }

    // T1
    private void tokensAreUnique(List<HistoryEvent> issued) {
        Map<Long, HistoryEvent> seen = new HashMap<>();
        for (HistoryEvent event : issued) {
            HistoryEvent other = seen.putIfAbsent(event.token(), event);
            if (other != null) {
                broken(Rule.T1, other, event);
            }
        }
    }

    // T2, F1: whatever had completed before the invocation of an event has no higher token.
    private void tokensNeverFall(Rule rule, List<HistoryEvent> byInvocation) {
        List<HistoryEvent> byCompletion =
                byInvocation.stream().sorted(BY_COMPLETION).toList();
        int next = 0;
        HistoryEvent highest = null;
        for (HistoryEvent event : byInvocation) {
            // Ends at the latest at the event itself.
            while (byCompletion.get(next).completed() < event.invoked()) {
                HistoryEvent before = byCompletion.get(next++);
                highest = highest == null || before.token() > highest.token() ? before : highest;
            }
            if (highest != null && event.token() < highest.token()) {
                broken(rule, highest, event);
            }
        }
    }

    // F2, F3
    private void acceptedTokensWereIssued(List<HistoryEvent> acquired, List<HistoryEvent> accepted) {
        Map<Long, List<HistoryEvent>> issues = new HashMap<>();
        Map<String, HistoryEvent> lost = new HashMap<>();
        for (HistoryEvent event : acquired) {
            if (event.token() == HistoryEvent.UNKNOWN) {
                lost.putIfAbsent(event.client(), event);
            } else {
                issues.computeIfAbsent(event.token(), token -> new ArrayList<>())
                        .add(event);
            }
        }
        for (HistoryEvent write : accepted) {
            List<HistoryEvent> before = issues.getOrDefault(write.token(), List.of()).stream()
                    .filter(issue -> issue.invoked() <= write.completed())
                    .toList();
            boolean isOwn = before.stream().anyMatch(issue -> issue.client().equals(write.client()));
            HistoryEvent unanswered = lost.get(write.client());
            // The client may have learned of it, and been killed before it could write that down.
            boolean mayBeOwn = before.isEmpty() && unanswered != null && unanswered.invoked() <= write.completed();
            if (!isOwn && !mayBeOwn) {
                if (before.isEmpty()) {
                    broken(Rule.F2, write);
                } else {
                    broken(Rule.F3, before.get(0), write);
                }
            }
        }
    }

    // M
    private void onlyOneBelieves(List<HistoryEvent> history) {
        Map<Tenure, Belief> beliefs = new HashMap<>();
        for (HistoryEvent event : history) {
            switch (event.kind()) {
                case BELIEVED_FROM, BELIEVED_TO, RELEASED ->
                    beliefs.computeIfAbsent(new Tenure(event.client(), event.token()), tenure -> new Belief())
                            .add(event);
                default -> {}
            }
        }
        List<Belief> byBeginning = beliefs.values().stream()
                .filter(belief -> belief.first != null && !belief.first.isIndeterminate())
                .sorted(Comparator.comparingLong(Belief::from))
                .toList();
        List<Pair> certain = overlaps(byBeginning, Belief::to);
        overlaps += certain.size();
        overlapNanos += certain.stream().mapToLong(Pair::nanos).sum();
        possibleOverlaps += overlaps(byBeginning, Belief::possiblyTo).size() - certain.size();
        if (claimsLeases) {
            certain.forEach(pair -> violations.add(pair.violation()));
        }
    }

    private static List<Pair> overlaps(List<Belief> byBeginning, ToLongFunction<Belief> end) {
        List<Pair> overlaps = new ArrayList<>();
        Belief longest = null;
        for (Belief belief : byBeginning) {
            if (longest != null && belief.from() < end.applyAsLong(longest)) {
                overlaps.add(new Pair(longest, belief));
            }
            if (longest == null || end.applyAsLong(belief) > end.applyAsLong(longest)) {
                longest = belief;
            }
        }
        return overlaps;
    }
}
