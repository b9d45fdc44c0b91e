package io.quorate.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * One thing that has changed.
 *
 * @param at     by the clock of the node that says it
 * @param node   that says it
 * @param seenBy all nodes that say it, sorted
 * @param kind   what it is; kinds beyond those that are known here are shown as they are
 * @param path   empty for a change of the connection
 */
record LoggedChange(
        Instant at,
        String node,
        List<String> seenBy,
        String kind,
        Optional<String> path,
        Optional<LatchId> leader,
        Optional<Long> token,
        Optional<String> reason) {

    private static final String LEADS = "LEADS";
    private static final String LEADER = "LEADER";

    static List<LoggedChange> read(int status, JsonObject body) throws NoAnswer {
        if (status != 200) {
            throw NodeStatus.unexpected(status, body);
        }
        String node = body.text("node");
        List<LoggedChange> changes = new ArrayList<>();
        for (JsonObject each : body.objects("changes")) {
            changes.add(new LoggedChange(
                    instant(each.text("at")),
                    node,
                    List.of(node),
                    each.text("kind"),
                    each.optionalText("path"),
                    LatchId.in(each, "leader"),
                    each.optionalNumber("token"),
                    each.optionalText("reason")));
        }
        return changes;
    }

    private static Instant instant(String text) throws NoAnswer {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new NoAnswer("answers without a field 'at' that is a time such as 2026-01-31T12:00:00Z");
        }
    }

    /**
     * The changes that all nodes say, the oldest first. A tenure begins once: where several nodes say so, it is one
     * change, as the leader itself says it.
     */
    static List<LoggedChange> merged(List<List<LoggedChange>> logs) {
        Map<List<Object>, LoggedChange> merged = new LinkedHashMap<>();
        for (List<LoggedChange> log : logs) {
            log.forEach(change -> merged.merge(change.identity(), change, LoggedChange::with));
        }
        return merged.values().stream()
                .sorted((one, other) -> one.at.compareTo(other.at))
                .toList();
    }

    /** The values that two reports of one change share. */
    private List<Object> identity() {
        boolean isBeginning = (kind.equals(LEADS) || kind.equals(LEADER)) && path.isPresent() && token.isPresent();
        return isBeginning ? List.of(path, token) : List.of(node, at, kind, path, leader, token, reason);
    }

    private LoggedChange with(LoggedChange other) {
        TreeSet<String> all = new TreeSet<>(seenBy);
        all.addAll(other.seenBy);
        boolean isOtherNearer = kind.equals(other.kind) ? other.at.isBefore(at) : other.kind.equals(LEADS);
        LoggedChange kept = isOtherNearer ? other : this;
        return new LoggedChange(
                kept.at, kept.node, List.copyOf(all), kept.kind, kept.path, kept.leader, kept.token, kept.reason);
    }

    /** For people, in the words of the one who says it. */
    String sentence() {
        String why = reason.map(text -> ": " + Shown.of(text)).orElse("");
        String with = token.map(number -> " with token " + number).orElse("");
        return switch (kind) {
            case LEADS -> leader.map(LatchId::toString).orElse(Shown.of(node)) + " leads" + with + why;
            case LEADER -> leader.map(id -> id + " leads" + with).orElse("no leader is known") + why;
            case "LEADS_NO_MORE" -> Shown.of(node) + " no longer leads" + with + why;
            case "CONNECTION" -> "connection of " + Shown.of(node) + why;
            default -> Shown.of(kind) + with + why;
        };
    }
}
