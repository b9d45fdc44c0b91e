package io.quorate;

/**
 * A listener whose selector leaves the queue, or gives leadership up, when the client's {@link
 * ConnectionStateErrorPolicy} calls the state of the connection an error.
 */
public abstract class LeaderSelectorListenerAdapter implements LeaderSelectorListener {

    /** For subclasses. */
    public LeaderSelectorListenerAdapter() {}

    /**
     * {@inheritDoc}
     *
     * @throws CancelLeadershipException if the client's policy calls {@code newState} an error
     */
    @Override
    public void stateChanged(ElectionClient client, ConnectionState newState) {
        if (client.getConnectionStateErrorPolicy().isErrorState(newState)) {
            throw new CancelLeadershipException();
        }
    }
}
