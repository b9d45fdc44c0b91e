package io.quorate;

/** A listener that gives leadership up when the connection is in a state that the client's policy calls an error. */
public abstract class LeaderSelectorListenerAdapter implements LeaderSelectorListener {

    /** For subclasses. */
    public LeaderSelectorListenerAdapter() {
    }

    @Override
    public void stateChanged(ElectionClient client, ConnectionState newState) {
        if (client.getConnectionStateErrorPolicy().isErrorState(newState)) {
            throw new CancelLeadershipException();
        }
    }
}
