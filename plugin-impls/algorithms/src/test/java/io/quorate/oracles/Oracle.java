package io.quorate.oracles;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One process as the text of a source describes it. A subclass is that text, with the decisions of the algorithm's
 * document where the source is silent. One of its rules or decisions can be changed, to show that a comparison notices.
 */
abstract class Oracle {

    /** No leader. */
    static final int NOBODY = -1;

    /**
     * Where an oracle runs.
     *
     * @param self  its process
     * @param size  how many processes there are: 0 to {@code size-1}
     * @param ring  all processes in the order of the ring
     * @param delta the bound on a one-way delay
     */
    record Place(int self, int size, List<Integer> ring, long delta) {}

    /** A message to a process. */
    record Sent(int to, Letter letter) {}

    final int self;
    final int size;
    final long delta;
    final Set<Integer> suspects = new TreeSet<>();
    int leader = NOBODY;
    long now;

    private final List<Integer> ring;
    private final String changed;
    private final Set<String> asked = new HashSet<>();
    private final List<Sent> sent = new ArrayList<>();
    private final List<String> indicated = new ArrayList<>();
    private final Map<String, Long> timers = new TreeMap<>();

    /** {@code changed} names the rule or decision that this oracle does not follow; empty if it follows all. */
    Oracle(Place place, String changed) {
        this.self = place.self();
        this.size = place.size();
        this.delta = place.delta();
        this.ring = place.ring();
        this.changed = changed;
    }

    // ---------------------------------------------------------------- events

    /** The process starts; {@code configured} is its first leader or {@link #NOBODY}. */
    abstract void started(int configured);

    abstract void received(int from, Letter letter);

    /** The timer of this name has run out. */
    void fired(String timer) {
        throw new AssertionError("the source has no timer " + timer);
    }

    /** {@link #suspects} holds the process since this event. */
    void suspected(int process) {}

    /** {@link #suspects} does not hold the process since this event. */
    void trusted(int process) {}

    void prioritiesChanged(List<Long> priorities) {}

    /** Comes after each event: what the source derives from the state alone. */
    void handled() {}

    // ---------------------------------------------------------------- what is compared

    /** Reads a message of the algorithm and puts it in the words of the source. */
    abstract Letter read(WireReader in) throws MalformedInputException;

    /** Whether the process takes part in an election; {@code otherwise} if the source has no such notion. */
    boolean isParticipating(boolean otherwise) {
        return otherwise;
    }

    /** Reads the variables of the source that nothing else shows from the state of a machine. */
    List<Object> readVariables(WireReader state) throws MalformedInputException {
        return List.of();
    }

    /** The same variables of this oracle. */
    List<Object> variables() {
        return List.of();
    }

    /** Whether the process of the source has ended. */
    boolean isOver() {
        return false;
    }

    /** The messages since the last call. */
    List<Sent> takeSent() {
        List<Sent> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    /** The indications of a leader since the last call. */
    List<String> takeIndicated() {
        List<String> taken = List.copyOf(indicated);
        indicated.clear();
        return taken;
    }

    /** The rules and decisions that {@link #isChanged} was asked for. */
    final Set<String> asked() {
        return asked;
    }

    /** When each pending timer runs out. */
    Map<String, Long> timers() {
        return timers;
    }

    // ---------------------------------------------------------------- for subclasses

    /** Whether this rule or decision is the changed one. */
    final boolean isChanged(String rule) {
        asked.add(rule);
        return changed.equals(rule);
    }

    final void send(int to, String type, Object... fields) {
        sent.add(new Sent(to, Letter.of(type, fields)));
    }

    final void setTimer(String timer, long delay) {
        timers.put(timer, now + delay);
    }

    final void cancelTimer(String timer) {
        timers.remove(timer);
    }

    /** The source names a leader, in its form {@code mark} if it has one. */
    final void indicate(int process, Object... mark) {
        indicated.add(process + List.of(mark).toString());
    }

    /** {@code process} leads from now on, and that is indicated. */
    final void follow(int process) {
        leader = process;
        indicate(process);
    }

    /** The process behind {@code process} on the ring. */
    final int behind(int process) {
        return ring.get((ring.indexOf(process) + 1) % size);
    }

    /** The next process behind this one on the ring that is not suspected; self if there is none. */
    final int nextAlive() {
        int next = behind(self);
        while (next != self && suspects.contains(next)) {
            next = behind(next);
        }
        return next;
    }
}
