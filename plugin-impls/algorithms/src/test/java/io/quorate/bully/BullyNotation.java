package io.quorate.bully;

import io.quorate.algorithms.Notation;
import io.quorate.spi.Effect;
import io.quorate.spi.Message;
import io.quorate.spi.Variant;

/** {@code ELECTION}, {@code ALIVE}, {@code VICTORY}, in H with the term in parentheses. */
record BullyNotation(Variant variant) implements Notation {

    @Override
    public String show(Message message) {
        BullyMessage ours = (BullyMessage) message;
        String term = variant == Variant.HARDENED ? "(" + ours.term() + ")" : "";
        if (ours instanceof BullyMessage.Election) {
            return "ELECTION" + term;
        }
        return (ours instanceof BullyMessage.Alive ? "ALIVE" : "VICTORY") + term;
    }

    @Override
    public Message parse(String text) {
        String digits = text.replaceAll("\\D", "");
        long term = digits.isEmpty() ? 0 : Long.parseLong(digits);
        return switch (text.replaceAll("\\(.*", "")) {
            case "ELECTION" -> new BullyMessage.Election(term);
            case "ALIVE" -> new BullyMessage.Alive(term);
            case "VICTORY" -> new BullyMessage.Victory(term);
            default -> throw new IllegalArgumentException("no message: " + text);
        };
    }

    @Override
    public String showMark(Effect.Nominate nominate) {
        return variant == Variant.HARDENED ? " " + nominate.mark().term() : "";
    }
}
