package io.quorate.algorithms;

import io.quorate.spi.Effect;
import io.quorate.spi.Event;
import io.quorate.spi.Message;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.StringJoiner;

/**
 * The notation of the golden traces (ALGORITHMS.md, section 0.5) for one algorithm and variant. Processes are written
 * from 1 up, which is one more than their number.
 */
public interface Notation {

    /** A message, as in {@code REQ(1,(0,3))}. */
    String show(Message message);

    /** The inverse of {@link #show(Message)}. */
    Message parse(String text);

    /** What follows {@code LEADER n}, with its leading blank; empty if the variant gives no token. */
    String showToken(Effect.Nominate nominate);

    /** The effects in order; sends of one message are joined at the place of the first. */
    default List<String> show(List<Effect> effects) {
        Map<Message, StringJoiner> sends = new LinkedHashMap<>();
        List<Object> parts = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send send) {
                sends.computeIfAbsent(send.message(), message -> {
                    StringJoiner receivers = new StringJoiner(",", show(message) + " ->", "");
                    parts.add(receivers);
                    return receivers;
                }).add(String.valueOf(send.to() + 1));
            } else {
                parts.add(showOther(effect));
            }
        }
        return parts.stream().map(Object::toString).toList();
    }

    private String showOther(Effect effect) {
        if (effect instanceof Effect.SetTimer set) {
            return "set " + set.timer() + "=" + set.delayMin();
        }
        if (effect instanceof Effect.CancelTimer cancel) {
            return "cancel " + cancel.timer();
        }
        if (effect instanceof Effect.Nominate nominate) {
            return "LEADER " + (nominate.nominee() + 1) + showToken(nominate);
        }
        return effect instanceof Effect.NoNominee ? "LEADER -" : "save " + ((Effect.Save) effect).saved();
    }

    /** An event, as in {@code REQ(1,(0,3)) from 3}, {@code timer T}, {@code suspect(4)} or {@code start}. */
    default String show(Event event) {
        if (event instanceof Event.Received received) {
            return show(received.message()) + " from " + (received.from() + 1);
        }
        if (event instanceof Event.TimerFired fired) {
            return "timer " + fired.timer();
        }
        if (event instanceof Event.Suspected suspected) {
            return "suspect(" + (suspected.process() + 1) + ")";
        }
        if (event instanceof Event.Trusted trusted) {
            return "restore(" + (trusted.process() + 1) + ")";
        }
        return "start";
    }

    /** The inverse of {@link #show(Event)}; further {@code start inc=2} and {@code start leader=3}. */
    default Event parseEvent(String text) {
        String[] words = text.trim().split(" ");
        if (words[0].equals("start")) {
            return parseStart(words);
        }
        if (words[0].equals("timer")) {
            return new Event.TimerFired(words[1]);
        }
        if (words.length == 3) {
            return new Event.Received(Integer.parseInt(words[2]) - 1, parse(words[0]));
        }
        int process = Integer.parseInt(words[0].replaceAll("\\D", "")) - 1;
        return words[0].startsWith("suspect") ? new Event.Suspected(process) : new Event.Trusted(process);
    }

    private static Event.Start parseStart(String... words) {
        long incarnation = 1;
        OptionalInt leader = OptionalInt.empty();
        for (int i = 1; i < words.length; i++) {
            int value = Integer.parseInt(words[i].substring(words[i].indexOf('=') + 1));
            if (words[i].startsWith("inc=")) {
                incarnation = value;
            } else {
                leader = OptionalInt.of(value - 1);
            }
        }
        return new Event.Start(incarnation, Event.Saved.NOTHING, leader);
    }
}
