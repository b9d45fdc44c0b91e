package io.quorate.algorithms;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.StringJoiner;

/**
 * The notation of the golden traces (docs/algorithms/common.md#notation) for one algorithm and variant. Processes are
 * written from {@link #first()} up.
 */
public interface Notation {

    /** How the process with number 0 is written: 1, because most documents count from there. */
    default int first() {
        return 1;
    }

    /** A message, as in {@code REQ(1,(0,3))}. */
    String show(Message message);

    /** The inverse of {@link #show(Message)}. */
    Message parse(String text);

    /** What follows {@code LEADER n}, with its leading blank; empty if the variant gives no mark. */
    String showMark(Effect.Nominate nominate);

    /** The same for an algorithm whose traces show more than the indication says: what its machine knows now. */
    default String showMark(Effect.Nominate nominate, Election election) {
        return showMark(nominate);
    }

    /** The effects that {@code election} gave last, in order; sends of one message are joined at its first place. */
    default List<String> show(List<Effect> effects, Election election) {
        Map<Message, StringJoiner> sends = new LinkedHashMap<>();
        List<Object> parts = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send send) {
                sends.computeIfAbsent(send.message(), message -> {
                            StringJoiner receivers = new StringJoiner(",", show(message) + " ->", "");
                            parts.add(receivers);
                            return receivers;
                        })
                        .add(String.valueOf(send.to() + first()));
            } else {
                parts.add(showOther(effect, election));
            }
        }
        return parts.stream().map(Object::toString).toList();
    }

    private String showOther(Effect effect, Election election) {
        if (effect instanceof Effect.SetTimer set) {
            return "set " + set.timer() + "=" + set.delayMin();
        }
        if (effect instanceof Effect.CancelTimer cancel) {
            return "cancel " + cancel.timer();
        }
        if (effect instanceof Effect.Nominate nominate) {
            return "LEADER " + (nominate.nominee() + first()) + showMark(nominate, election);
        }
        return effect instanceof Effect.NoNominee ? "LEADER -" : "save " + ((Effect.Save) effect).saved();
    }

    /** An event, as in {@code REQ(1,(0,3)) from 3}, {@code timer T}, {@code suspect(4)} or {@code start}. */
    default String show(Event event) {
        if (event instanceof Event.Received received) {
            return show(received.message()) + " from " + (received.from() + first());
        }
        if (event instanceof Event.TimerFired fired) {
            return "timer " + fired.timer();
        }
        if (event instanceof Event.Suspected suspected) {
            return "suspect(" + (suspected.process() + first()) + ")";
        }
        if (event instanceof Event.Trusted trusted) {
            return "restore(" + (trusted.process() + first()) + ")";
        }
        return "start";
    }

    /** The inverse of {@link #show(Event)}; further {@code start inc=2} and {@code start leader=3}. */
    default Event parseEvent(String text) {
        String[] words = text.trim().split(" ");
        if (words[0].equals("start")) {
            return parseStart(first(), words);
        }
        if (words[0].equals("timer")) {
            return new Event.TimerFired(words[1]);
        }
        if (words.length == 3) {
            return new Event.Received(Integer.parseInt(words[2]) - first(), parse(words[0]));
        }
        int process = Integer.parseInt(words[0].replaceAll("\\D", "")) - first();
        return words[0].startsWith("suspect") ? new Event.Suspected(process) : new Event.Trusted(process);
    }

    private static Event.Start parseStart(int first, String... words) {
        long incarnation = 1;
        OptionalInt leader = OptionalInt.empty();
        for (int i = 1; i < words.length; i++) {
            int value = Integer.parseInt(words[i].substring(words[i].indexOf('=') + 1));
            if (words[i].startsWith("inc=")) {
                incarnation = value;
            } else {
                leader = OptionalInt.of(value - first);
            }
        }
        return new Event.Start(incarnation, Event.Saved.NOTHING, leader);
    }
}
