package io.quorate.lcr;

import io.quorate.algorithms.Notation;
import io.quorate.lcr.LcrMessage.Probe;
import io.quorate.lcr.LcrMessage.Selected;
import io.quorate.ring.Attempt;
import io.quorate.spi.Effect;
import io.quorate.spi.Message;
import io.quorate.spi.Variant;
import java.util.Arrays;

/** {@code PROBE(id)} and {@code SELECTED(id)}; H adds {@code (inc,k),term,hops} and {@code term,maxTerm,hops}. */
public record LcrNotation(Variant variant) implements Notation {

    @Override
    public String show(Message message) {
        if (message instanceof Probe probe) {
            Attempt attempt = probe.attempt();
            return "PROBE(" + (probe.id() + 1)
                    + (variant == Variant.FAITHFUL
                            ? ""
                            : ",(" + attempt.incarnation() + "," + attempt.number() + ")," + probe.maxTerm() + ","
                                    + probe.hops())
                    + ")";
        }
        Selected selected = (Selected) message;
        return "SELECTED(" + (selected.id() + 1)
                + (variant == Variant.FAITHFUL
                        ? ""
                        : "," + selected.term() + "," + selected.maxTerm() + "," + selected.hops())
                + ")";
    }

    @Override
    public Message parse(String text) {
        int[] given = Arrays.stream(text.replaceAll("[^\\d,]", "").split(","))
                .mapToInt(Integer::parseInt)
                .toArray();
        int[] numbers = Arrays.copyOf(given, 5);
        int id = numbers[0] - 1;
        return switch (text.replaceAll("\\(.*", "")) {
            case "PROBE" -> new Probe(id, new Attempt(numbers[1], numbers[2]), numbers[3], numbers[4]);
            case "SELECTED" -> new Selected(id, numbers[1], numbers[2], numbers[3]);
            default -> throw new IllegalArgumentException("no message: " + text);
        };
    }

    @Override
    public String showMark(Effect.Nominate nominate) {
        return variant == Variant.FAITHFUL ? "" : " " + nominate.mark().term();
    }
}
