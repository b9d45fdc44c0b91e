package io.quorate.contract;

import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.Participant;
import java.io.EOFException;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The methods that both libraries' {@code LeaderLatch} has, with their throws clauses. */
interface Latch {

    void start() throws Exception;

    void close() throws IOException;

    void close(LeaderLatch.CloseMode mode) throws IOException;

    void addListener(LeaderLatchListener listener);

    void addListener(LeaderLatchListener listener, Executor executor);

    void removeListener(LeaderLatchListener listener);

    void await() throws InterruptedException, EOFException;

    boolean await(long timeout, TimeUnit unit) throws InterruptedException;

    String getId();

    LeaderLatch.State getState();

    boolean hasLeadership();

    List<Participant> getParticipants() throws Exception;

    /** The very collection that the library answers. */
    Collection<?> participantsAsTheyAre() throws Exception;

    Participant getLeader() throws Exception;

    String getOurPath();

    String getLastPathIsLeader();

    /** Where the latch stands, and why, for the message of a failure. */
    String standing();
}
