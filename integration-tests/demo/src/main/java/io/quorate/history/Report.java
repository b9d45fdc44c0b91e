package io.quorate.history;

import io.quorate.history.HistoryEvent.Kind;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What {@link HistoryCheck} found.
 *
 * @param history    all events, in the order of their beginnings
 * @param violations what must not be; empty if all is well
 * @param overlap    how much two clients believed at one instant that they lead
 */
public record Report(List<HistoryEvent> history, List<Violation> violations, Overlap overlap) {

    /** More than these would hide the first ones. */
    private static final int SHOWN_MAX = 20;

    /** What must hold; docs/verification.md#history-checker has the short names. */
    public enum Rule {
        /** No token is acquired twice. */
        T1,
        /** Whoever asks after a tenure is known to have begun gets a higher token. */
        T2,
        /** The resource takes no token below one that it has taken. */
        F1,
        /** A token that the resource takes was acquired by somebody before. */
        F2,
        /** A token that the resource takes was acquired by the client that writes. */
        F3,
        /** At no instant two clients believe that they lead. */
        M
    }

    /**
     * A rule that is broken.
     *
     * @param events that break it together
     */
    public record Violation(Rule rule, List<HistoryEvent> events) {
        @Override
        public String toString() {
            return rule + " is broken by\n"
                    + events.stream().map(event -> "    " + event + "\n").collect(Collectors.joining());
        }
    }

    /**
     * How often clients believed to lead while another did.
     *
     * @param certain  tenures that began to be believed in while an earlier one was still believed in
     * @param nanos    for how long, altogether
     * @param possible those beyond that, of which it is not known because the end of a belief is lost
     */
    public record Overlap(int certain, long nanos, int possible) {}

    /** Whether no rule is broken. */
    public boolean isGood() {
        return violations.isEmpty();
    }

    /** How many events of this kind there are: a history without any proves nothing. */
    public int count(Kind kind) {
        return (int) history.stream().filter(event -> event.kind() == kind).count();
    }

    /** The history, as short as it can be told: of the answers of one tenure only the first and the last. */
    public String story() {
        Map<String, HistoryEvent> last = history.stream()
                .filter(event -> event.kind() == Kind.BELIEVED_TO)
                .collect(Collectors.toMap(Report::tenure, event -> event, (first, second) -> second));
        return history.stream()
                .filter(event -> event.kind() != Kind.BELIEVED_TO
                        || last.get(tenure(event)).equals(event))
                .filter(event -> event.kind() != Kind.ACCEPTED)
                .map(event -> event + "\n")
                .collect(Collectors.joining());
    }

    private static String tenure(HistoryEvent event) {
        return event.client() + " " + event.path() + " " + event.token();
    }

    @Override
    public String toString() {
        Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
        history.forEach(event -> counts.merge(event.kind(), 1, Integer::sum));
        String found = violations.stream()
                .sorted(Comparator.comparing(Violation::rule))
                .limit(SHOWN_MAX)
                .map(Violation::toString)
                .collect(Collectors.joining());
        return violations.size() + " violations in the history of " + counts + ", " + overlap + "\n" + found
                + (isGood() ? "" : "The history, without the accepted writes:\n" + story());
    }
}
