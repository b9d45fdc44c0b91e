package io.quorate.testkit;

import io.quorate.LeaderLatchListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that notes what it is told, in what order and by which thread. Any thread may call it. */
public class RecordingListener implements LeaderLatchListener {

    /** What is noted of {@link #isLeader}. */
    public static final String IS_LEADER = "isLeader";
    /** What is noted of {@link #notLeader}. */
    public static final String NOT_LEADER = "notLeader";

    /** What it was told so far. */
    public final List<String> events;
    /** The thread of each event. */
    public final List<Thread> threads = new CopyOnWriteArrayList<>();

    private final String name;

    /** Writes into a list of its own. */
    public RecordingListener() {
        this(new CopyOnWriteArrayList<>());
    }

    /** Writes into this list. */
    public RecordingListener(List<String> events) {
        this("", events);
    }

    /** Writes into a list shared with others, each line with the name before it. */
    public RecordingListener(String name, List<String> events) {
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

    /** Notes an event, of the caller's thread. */
    public void note(String event) {
        threads.add(Thread.currentThread());
        events.add(name + event);
    }

    /** Whether it was told exactly this. */
    public boolean hasSeen(String... expected) {
        return events.equals(List.of(expected));
    }
}
