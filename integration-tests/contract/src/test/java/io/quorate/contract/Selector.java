package io.quorate.contract;

import io.quorate.ConnectionState;
import io.quorate.Participant;
import java.util.List;

/** The methods that both libraries' {@code LeaderSelector} has. */
interface Selector {

    /** What it does while it leads: a {@code LeaderSelectorListener}. */
    interface Turn {
        void takeLeadership() throws Exception;
    }

    /** A {@link Turn} that decides about connection states itself; others do as the library's adapter does. */
    interface WatchfulTurn extends Turn {
        void stateChanged(ConnectionState newState);
    }

    void start();

    void close();

    boolean requeue();

    void autoRequeue();

    void interruptLeadership();

    void setId(String id);

    String getId();

    boolean hasLeadership();

    List<Participant> getParticipants() throws Exception;

    Participant getLeader() throws Exception;
}
