package io.quorate.testkit.picture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * The recording of one run. Immutable. All times are microseconds since the beginning of the run.
 *
 * @param title     what ran, in a few words
 * @param story     what happened to it, in a sentence; empty if nobody says
 * @param processes their names, from left to right
 * @param end       until when it was watched
 * @param messages  by the time of sending
 * @param marks     what happened to the cluster, by time
 * @param lives     when each process ran
 * @param beliefs   whom each process took for the leader, and when; none where it took nobody
 * @param leads     who led, and when
 * @param steps     how each process handled what happened to it, by time
 * @param forgotten how many earlier messages are not among these, because there were too many
 */
public record Recording(
        String title,
        String story,
        List<String> processes,
        long end,
        List<Message> messages,
        List<Mark> marks,
        List<Life> lives,
        List<Belief> beliefs,
        List<Lead> leads,
        List<Step> steps,
        long forgotten) {

    /** The fate of a message. */
    public enum Fate {
        /** It reached a process that ran. */
        ARRIVED,
        /** The network lost it. */
        LOST,
        /** It reached a process that did not run. */
        MISSED,
        /** The run was over before it arrived. */
        ON_ITS_WAY
    }

    /**
     * A message.
     *
     * @param ended     when it arrived, or when it was lost; the end of the run if it is on its way
     * @param name      its kind
     * @param fields    what it says; empty if it says nothing
     * @param isRoutine whether it only says that its sender lives
     */
    public record Message(
            String from, String to, long sent, long ended, Fate fate, String name, String fields, boolean isRoutine) {

        /** Its name and its fields. */
        public String text() {
            return fields.isEmpty() ? name : name + " " + fields;
        }
    }

    /**
     * Something that happened.
     *
     * @param process whom it happened to; empty for the whole cluster
     */
    public record Mark(long at, Optional<String> process, String text) {}

    /**
     * A process has handled something.
     *
     * @param event what it was, such as {@code suspects n3}
     * @param state of its machine afterwards
     */
    public record Step(String process, long at, Kind kind, String event, String state) {

        /** Kinds of steps. */
        public enum Kind {
            /** The process suspects or trusts another one. */
            SUSPICION,
            /** A timer has fired. */
            TIMER,
            /** A message has arrived; its name comes first. */
            MESSAGE,
            /** A start, and the rest. */
            OTHER
        }
    }

    /** A time for which a process ran, or was stopped and did not know it. */
    public record Life(String process, long from, long until, boolean isPaused) {}

    /** A time for which a process took one process for the leader. */
    public record Belief(String process, long from, long until, String leader) {}

    /**
     * A time for which a process led, or took itself for the leader.
     *
     * @param path  what it led
     * @param token of its tenure; empty without a lease
     */
    public record Lead(String process, long from, long until, String path, OptionalLong token) {}

    /**
     * A time for which several led one path.
     *
     * @param leaders at least two
     */
    public record Conflict(long from, long until, String path, List<String> leaders) {}

    public Recording {
        processes = List.copyOf(processes);
        messages = messages.stream()
                .sorted(Comparator.comparingLong(Message::sent))
                .toList();
        marks = marks.stream().sorted(Comparator.comparingLong(Mark::at)).toList();
        lives = List.copyOf(lives);
        beliefs = beliefs.stream()
                .sorted(Comparator.comparingLong(Belief::from).thenComparing(Belief::process))
                .toList();
        leads = leads.stream()
                .sorted(Comparator.comparingLong(Lead::from).thenComparing(Lead::process))
                .toList();
        steps = steps.stream().sorted(Comparator.comparingLong(Step::at)).toList();
    }

    /** The same under another title. */
    public Recording titled(String otherTitle, String otherStory) {
        return new Recording(
                otherTitle, otherStory, processes, end, messages, marks, lives, beliefs, leads, steps, forgotten);
    }

    /** When two or more led one path, by time. Empty if that was never so. */
    public List<Conflict> conflicts() {
        List<Conflict> all = new ArrayList<>();
        for (String path : leads.stream().map(Lead::path).distinct().toList()) {
            List<Lead> here =
                    leads.stream().filter(lead -> lead.path().equals(path)).toList();
            TreeSet<Long> instants = new TreeSet<>();
            here.forEach(lead -> {
                instants.add(lead.from());
                instants.add(lead.until());
            });
            for (long from : instants) {
                List<String> together = here.stream()
                        .filter(lead -> lead.from() <= from && from < lead.until())
                        .map(Lead::process)
                        .distinct()
                        .sorted()
                        .toList();
                Long until = instants.higher(from);
                if (together.size() > 1 && until != null) {
                    add(all, new Conflict(from, until, path, together));
                }
            }
        }
        return all.stream().sorted(Comparator.comparingLong(Conflict::from)).toList();
    }

    /** A conflict that directly follows the last one, with the same leaders, extends it. */
    private static void add(List<Conflict> all, Conflict next) {
        Conflict last = all.isEmpty() ? next : all.get(all.size() - 1);
        boolean goesOn = last.until() == next.from()
                && last.path().equals(next.path())
                && last.leaders().equals(next.leaders());
        if (goesOn) {
            all.set(all.size() - 1, new Conflict(last.from(), next.until(), next.path(), next.leaders()));
        } else {
            all.add(next);
        }
    }
}
