package io.quorate.contract;

import io.quorate.LeaderLatchListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that notes what it is told, in what order and by which thread. */
class Recorder implements LeaderLatchListener {

    static final String IS_LEADER = "isLeader";
    static final String NOT_LEADER = "notLeader";

    final List<String> events;
    final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final String name;

    Recorder() {
        this("", new CopyOnWriteArrayList<>());
    }

    /** Writes into a list shared with others, each line with the name before it. */
    Recorder(String name, List<String> events) {
        this.name = name;
        this.events = events;
    }

    @Override
    public void isLeader() {
        note(IS_LEADER);
    }

    @Override
    public void notLeader() {
        note(NOT_LEADER);
    }

    void note(String event) {
        threads.add(Thread.currentThread());
        events.add(name + event);
    }

    boolean hasSeen(String... expected) {
        return events.equals(List.of(expected));
    }
}
