package io.quorate.tokenring;

import io.quorate.algorithms.Notation;
import io.quorate.ring.Attempt;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Message;
import io.quorate.spi.Variant;
import io.quorate.tokenring.TokenRingMessage.Coordinator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * F: {@code ELECTION(ids)}, {@code COORDINATOR(ids,starter)} and {@code LEADER n (ids)}. H: {@code
 * ELECTION(ids,(inc,k),term)}, {@code COORDINATOR(leader,ring,term,closer,visited)} and {@code LEADER n term}.
 */
public record TokenRingNotation(Variant variant) implements Notation {

    private static final Pattern PART = Pattern.compile("\\([\\d,]*\\)|\\d+");

    @Override
    public String show(Message message) {
        boolean faithful = variant == Variant.FAITHFUL;
        if (message instanceof TokenRingMessage.Election token) {
            Attempt attempt = token.attempt();
            return "ELECTION(" + showList(token.ids())
                    + (faithful ? "" : ",(" + attempt.incarnation() + "," + attempt.number() + ")," + token.term())
                    + ")";
        }
        Coordinator result = (Coordinator) message;
        Victory victory = result.victory();
        String closer = "," + (victory.closer() + 1);
        return faithful
                ? "COORDINATOR(" + showList(result.ring()) + closer + ")"
                : "COORDINATOR(" + (victory.leader() + 1) + "," + showList(result.ring()) + "," + victory.term()
                        + closer + "," + showList(result.visited()) + ")";
    }

    private static String showList(List<Integer> processes) {
        return processes.stream()
                .map(process -> String.valueOf(process + 1))
                .collect(Collectors.joining(",", "(", ")"));
    }

    @Override
    public Message parse(String text) {
        List<List<Integer>> parts = new ArrayList<>();
        Matcher matcher = PART.matcher(text.substring(text.indexOf('(') + 1));
        while (matcher.find()) {
            String numbers = matcher.group().replaceAll("[()]", "");
            parts.add(
                    numbers.isEmpty()
                            ? List.of()
                            : Arrays.stream(numbers.split(","))
                                    .map(number -> Integer.parseInt(number) - 1)
                                    .toList());
        }
        boolean faithful = variant == Variant.FAITHFUL;
        if (text.startsWith("ELECTION")) {
            return faithful
                    ? new TokenRingMessage.Election(parts.get(0), Attempt.NONE, 0)
                    : new TokenRingMessage.Election(
                            parts.get(0),
                            new Attempt(parts.get(1).get(0) + 1, parts.get(1).get(1) + 1),
                            parts.get(2).get(0) + 1);
        }
        if (!text.startsWith("COORDINATOR")) {
            throw new IllegalArgumentException("no message: " + text);
        }
        return faithful
                ? new Coordinator(
                        new Victory(
                                0,
                                parts.get(0).stream().max(Integer::compare).orElse(-1),
                                parts.get(1).get(0)),
                        parts.get(0),
                        List.of())
                : new Coordinator(
                        new Victory(
                                parts.get(2).get(0) + 1,
                                parts.get(0).get(0),
                                parts.get(3).get(0)),
                        parts.get(1),
                        parts.get(4));
    }

    @Override
    public String showMark(Effect.Nominate nominate) {
        return " " + nominate.mark().term();
    }

    // The traces of F print the ring, which F does not indicate.
    @Override
    public String showMark(Effect.Nominate nominate, Election election) {
        return variant == Variant.FAITHFUL ? " " + showList(ring(election)) : showMark(nominate);
    }

    /** The members, as the process knows them. */
    static List<Integer> ring(Election election) {
        Election.State state = election.snapshot();
        return state instanceof FaithfulTokenRingState faithful
                ? faithful.ring()
                : ((HardenedTokenRingState) state).ring();
    }
}
