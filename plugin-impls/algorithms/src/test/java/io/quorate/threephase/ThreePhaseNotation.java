package io.quorate.threephase;

import io.quorate.algorithms.Notation;
import io.quorate.spi.Effect;
import io.quorate.spi.Event;
import io.quorate.spi.Message;
import io.quorate.spi.Variant;
import io.quorate.threephase.Priorities.Held;
import io.quorate.threephase.Priorities.Version;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The messages as docs/algorithms/three-phase.md writes them, with processes from 0 up: {@code
 * MESSAGE(i,list,timestamp)}, in H with the epoch behind it, and whether a majority follows the leader (T or F); {@code
 * REPORT(sender,list,timestamp)}, in H {@code REPORT(round,list,(epoch,timestamp),own)}; and {@code LEADER(id)}, in H
 * {@code LEADER(id,epoch,list)}. A change of the priorities is {@code update(5,7,9)}.
 */
record ThreePhaseNotation(Variant variant) implements Notation {

    /** A number, a list in braces, or numbers in parentheses. */
    private static final Pattern PART = Pattern.compile("\\{[^}]*}|\\([^)]*\\)|-?\\d+");

    @Override
    public int first() {
        return 0;
    }

    private boolean isHardened() {
        return variant == Variant.HARDENED;
    }

    @Override
    public String show(Message message) {
        if (message instanceof ThreePhaseMessage.Heartbeat heartbeat) {
            String epoch = isHardened()
                    ? "," + heartbeat.held().version().epoch() + (heartbeat.isFollowed() ? ",T" : ",F")
                    : "";
            return "MESSAGE(" + heartbeat.number() + "," + show(heartbeat.held()) + epoch + ")";
        } else if (message instanceof ThreePhaseMessage.Start start) {
            return "START(" + start.round() + ")";
        } else if (message instanceof ThreePhaseMessage.Ok ok) {
            String trust = ok.trust().stream().map(String::valueOf).collect(Collectors.joining(",", "(", ")"));
            return "OK(" + ok.round() + "," + trust + ")";
        } else if (message instanceof ThreePhaseMessage.Ack ack) {
            return "ACK(" + ack.round() + ")";
        } else if (message instanceof ThreePhaseMessage.Collect collect) {
            return "COLLECT(" + collect.round() + ")";
        } else if (message instanceof ThreePhaseMessage.Report report) {
            Version version = report.held().version();
            return "REPORT(" + report.key() + ","
                    + (isHardened()
                            ? show(report.held().list()) + ",(" + version.epoch() + "," + version.timestamp() + "),"
                                    + report.ownPriority()
                            : show(report.held()))
                    + ")";
        }
        return showRest((ThreePhaseMessage) message);
    }

    private String showRest(ThreePhaseMessage message) {
        if (message instanceof ThreePhaseMessage.AckReport ack) {
            return "ACK_REPORT(" + show(ack.held()) + ")";
        } else if (message instanceof ThreePhaseMessage.Leader leader) {
            String rest = isHardened() ? "," + leader.decision().epoch() + "," + show(leader.list()) : "";
            return "LEADER(" + leader.decision().leader() + rest + ")";
        } else if (message instanceof ThreePhaseMessage.LeaderAck ack) {
            return "LACK(" + ack.epoch() + ")";
        }
        return "HBACK(" + ((ThreePhaseMessage.HeartbeatAck) message).number() + ")";
    }

    private static String show(Priorities list) {
        return list.byProcess().entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String show(Held held) {
        return show(held.list()) + "," + held.version().timestamp();
    }

    @Override
    public String showMark(Effect.Nominate nominate) {
        return isHardened() ? " " + (nominate.mark().term() - 1) : "";
    }

    @Override
    public Event parseEvent(String text) {
        if (text.startsWith("update(")) {
            return new Event.PrioritiesChanged(
                    numbers(text).stream().map(Integer::longValue).toList());
        }
        return Notation.super.parseEvent(text);
    }

    @Override
    public Message parse(String text) {
        Matcher matcher = PART.matcher(text.substring(text.indexOf('(') + 1, text.length() - 1));
        List<String> parts = matcher.results().map(result -> result.group()).toList();
        long number = parts.get(0).matches("-?\\d+") ? Long.parseLong(parts.get(0)) : -1;
        return switch (text.substring(0, text.indexOf('('))) {
            case "MESSAGE" ->
                new ThreePhaseMessage.Heartbeat(
                        number,
                        new Held(
                                list(parts.get(1)),
                                new Version(
                                        isHardened() ? Long.parseLong(parts.get(3)) : 0, Long.parseLong(parts.get(2)))),
                        text.endsWith(",T)"));
            case "START" -> new ThreePhaseMessage.Start(number);
            case "OK" -> new ThreePhaseMessage.Ok(number, new TreeSet<>(numbers(parts.get(1))));
            case "ACK" -> new ThreePhaseMessage.Ack(number);
            case "COLLECT" -> new ThreePhaseMessage.Collect(number);
            case "REPORT" -> report(number, parts);
            case "ACK_REPORT" ->
                new ThreePhaseMessage.AckReport(
                        new Held(list(parts.get(0)), new Version(0, Long.parseLong(parts.get(1)))));
            case "LEADER" ->
                new ThreePhaseMessage.Leader(
                        new Decision(isHardened() ? Long.parseLong(parts.get(1)) : 0, (int) number),
                        isHardened() ? list(parts.get(2)) : Priorities.NONE);
            case "LACK" -> new ThreePhaseMessage.LeaderAck(number);
            case "HBACK" -> new ThreePhaseMessage.HeartbeatAck(number);
            default -> throw new IllegalArgumentException("no message: " + text);
        };
    }

    private Message report(long number, List<String> parts) {
        if (!isHardened()) {
            return new ThreePhaseMessage.Report(
                    number, new Held(list(parts.get(1)), new Version(0, Long.parseLong(parts.get(2)))), 0);
        }
        List<Integer> version = numbers(parts.get(2));
        return new ThreePhaseMessage.Report(
                number,
                new Held(list(parts.get(1)), new Version(version.get(0), version.get(1))),
                Long.parseLong(parts.get(3)));
    }

    private static Priorities list(String text) {
        List<Integer> numbers = numbers(text);
        SortedMap<Integer, Long> list = new TreeMap<>();
        for (int i = 0; i < numbers.size(); i += 2) {
            list.put(numbers.get(i), (long) numbers.get(i + 1));
        }
        return new Priorities(list);
    }

    private static List<Integer> numbers(String text) {
        return Arrays.stream(text.split("[^-\\d]+"))
                .filter(word -> !word.isEmpty())
                .map(Integer::valueOf)
                .toList();
    }
}
