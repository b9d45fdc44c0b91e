package io.quorate.testkit.picture;

import io.quorate.spi.Event;
import io.quorate.testkit.picture.Recording.Belief;
import io.quorate.testkit.picture.Recording.Lead;
import io.quorate.testkit.picture.Recording.Life;
import io.quorate.testkit.picture.Recording.Mark;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.picture.Recording.Step;
import io.quorate.testkit.picture.Recording.Step.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * Is told again and again how the processes of a run stand, and keeps what is another than before. The newest changes
 * are kept: those led to how the run ended.
 */
public final class Chronicle {

    /** So many of each kind are kept. */
    static final int CHANGES_MAX = 10_000;

    /**
     * The leadership of a process.
     *
     * @param token of its tenure; empty without a lease
     */
    public record Led(String path, OptionalLong token) {}

    private static final class Standing {
        private boolean isRunning;
        private boolean isPaused;
        private long lifeSince;
        private Optional<String> leader = Optional.empty();
        private long beliefSince;
        private final Map<Led, Long> leads = new LinkedHashMap<>();
    }

    private final LongSupplier micros;
    private final Words words;
    private final Map<String, Standing> processes = new TreeMap<>();
    private final List<String> names;
    private final Newest<Mark> marks = new Newest<>(CHANGES_MAX);
    private final Newest<Life> lives = new Newest<>(CHANGES_MAX);
    private final Newest<Belief> beliefs = new Newest<>(CHANGES_MAX);
    private final Newest<Lead> leads = new Newest<>(CHANGES_MAX);
    private final Newest<Step> steps = new Newest<>(CHANGES_MAX);

    /**
     * A chronicle of these processes, of which none runs yet.
     *
     * @param names  from left to right
     * @param micros the time since the beginning, in microseconds
     * @param words  of messages and states
     */
    public Chronicle(List<String> names, LongSupplier micros, Words words) {
        this.names = List.copyOf(names);
        this.micros = micros;
        this.words = words;
        names.forEach(name -> processes.put(name, new Standing()));
    }

    private Standing standing(String process) {
        Standing found = processes.get(process);
        if (found == null) {
            throw new IllegalArgumentException("process '" + process + "': must be one of " + names);
        }
        return found;
    }

    /** Something happened to the cluster. */
    public void mark(String text) {
        marks.add(new Mark(micros.getAsLong(), Optional.empty(), text));
    }

    /** Something happened to the process that is neither its life nor a belief. */
    public void mark(String process, String text) {
        standing(process);
        marks.add(new Mark(micros.getAsLong(), Optional.of(process), text));
    }

    /**
     * The process has handled an event.
     *
     * @param names of the processes, by the numbers that the machine gives them
     * @param state of the machine afterwards
     */
    public void step(String process, Event event, IntFunction<String> names, Object state) {
        if (event instanceof Event.Received received) {
            String name = words.of(received.message()).name();
            step(process, Kind.MESSAGE, name + " from " + names.apply(received.from()), state);
        } else if (event instanceof Event.TimerFired fired) {
            step(process, Kind.TIMER, "timer " + fired.timer(), state);
        } else if (event instanceof Event.Suspected suspected) {
            step(process, Kind.SUSPICION, "suspects " + names.apply(suspected.process()), state);
        } else if (event instanceof Event.Trusted trusted) {
            step(process, Kind.SUSPICION, "trusts " + names.apply(trusted.process()), state);
        } else {
            step(process, Kind.OTHER, event instanceof Event.Start ? "start" : "other priorities", state);
        }
    }

    /** The process has handled something, in words. */
    public void step(String process, Kind kind, String event, Object state) {
        standing(process);
        steps.add(new Step(process, micros.getAsLong(), kind, event, words.state(state)));
    }

    /** Whether the process runs, and if so, whether it is stopped for a while. */
    public void lives(String process, boolean isRunning, boolean isPaused) {
        Standing standing = standing(process);
        if (isRunning == standing.isRunning && isPaused == standing.isPaused) {
            return;
        }
        endLife(process, standing);
        if (isRunning != standing.isRunning) {
            mark(process, isRunning ? "starts" : "is gone");
        } else {
            mark(process, isPaused ? "is stopped" : "goes on");
        }
        standing.isRunning = isRunning;
        standing.isPaused = isPaused;
        standing.lifeSince = micros.getAsLong();
    }

    private void endLife(String process, Standing standing) {
        if (standing.isRunning) {
            lives.add(new Life(process, standing.lifeSince, micros.getAsLong(), standing.isPaused));
        }
    }

    /** Whom the process takes for the leader; empty for nobody. */
    public void believes(String process, Optional<String> leader) {
        Standing standing = standing(process);
        if (!leader.equals(standing.leader)) {
            endBelief(process, standing);
            standing.leader = leader;
            standing.beliefSince = micros.getAsLong();
        }
    }

    private void endBelief(String process, Standing standing) {
        standing.leader.ifPresent(
                leader -> beliefs.add(new Belief(process, standing.beliefSince, micros.getAsLong(), leader)));
    }

    /** All that the process leads. */
    public void leads(String process, Set<Led> present) {
        Standing standing = standing(process);
        if (present.equals(standing.leads.keySet())) {
            return;
        }
        for (Led ended : List.copyOf(standing.leads.keySet())) {
            if (!present.contains(ended)) {
                endLead(process, ended, standing.leads.getOrDefault(ended, 0L));
                standing.leads.remove(ended);
            }
        }
        present.forEach(begun -> standing.leads.putIfAbsent(begun, micros.getAsLong()));
    }

    private void endLead(String process, Led led, long since) {
        leads.add(new Lead(process, since, micros.getAsLong(), led.path(), led.token()));
    }

    /**
     * The recording up to now. Ongoing states end here, so nothing may be added afterwards.
     *
     * @param forgotten how many earlier messages there were
     */
    public Recording end(String title, String story, List<Message> messages, long forgotten) {
        processes.forEach((process, standing) -> {
            endLife(process, standing);
            endBelief(process, standing);
            standing.leads.forEach((led, since) -> endLead(process, led, since));
        });
        return new Recording(
                title,
                story,
                names,
                micros.getAsLong(),
                messages,
                marks.all(),
                lives.all(),
                beliefs.all(),
                leads.all(),
                steps.all(),
                forgotten);
    }
}
