package io.quorate.contract;

import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderSelector;
import io.quorate.LeaderSelectorListener;
import io.quorate.LeaderSelectorListenerAdapter;
import io.quorate.Participant;
import io.quorate.contract.QuorateTypes.QuorateClient;
import io.quorate.contract.QuorateTypes.QuorateLatch;
import io.quorate.contract.QuorateTypes.QuorateSelector;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Quorate, with three voters that stand where Curator has ZooKeeper, and clients that contend and do not vote.
 */
abstract class QuorateSide implements Side {

    static final List<String> VOTERS = List.of("n1", "n2", "n3");
    static final List<String> CONTENDERS = List.of("c1", "c2", "c3", "c4");

    @Override
    public boolean isCurator() {
        return false;
    }

    private static ElectionClient client(Client client) {
        return client == null ? null : ((QuorateClient) client).client();
    }

    static String node(Client client) {
        return ((QuorateClient) client).node();
    }

    @Override
    public Latch latch(Client client, String path) {
        return new QuorateLatch(new LeaderLatch(client(client), path));
    }

    @Override
    public Latch latch(Client client, String path, String id) {
        return new QuorateLatch(new LeaderLatch(client(client), path, id));
    }

    @Override
    public Latch latch(Client client, String path, String id, CloseMode closeMode) {
        return new QuorateLatch(new LeaderLatch(client(client), path, id, closeMode));
    }

    @Override
    public Latch subclassed(
            Client client, String path, Consumer<ConnectionState> handled, Consumer<Boolean> cancelled) {
        return new QuorateLatch(new LeaderLatch(client(client), path) {
            @Override
            protected void handleStateChange(ConnectionState newState) {
                handled.accept(newState);
                super.handleStateChange(newState);
            }

            @Override
            protected boolean cancelStartTask() {
                boolean wasWaiting = super.cancelStartTask();
                cancelled.accept(wasWaiting);
                return wasWaiting;
            }
        });
    }

    @Override
    public Selector selector(Client client, String path, Selector.Turn turn) {
        return new QuorateSelector(new LeaderSelector(client(client), path, listener(turn)));
    }

    @Override
    public Selector selector(Client client, String path, ExecutorService executor, Selector.Turn turn) {
        return new QuorateSelector(new LeaderSelector(client(client), path, executor, listener(turn)));
    }

    private static LeaderSelectorListener listener(Selector.Turn turn) {
        if (turn == null) {
            return null;
        }
        return turn instanceof Selector.WatchfulTurn watchful
                ? new Watchful(watchful)
                : new LeaderSelectorListenerAdapter() {
                    @Override
                    public void takeLeadership(ElectionClient client) throws Exception {
                        turn.takeLeadership();
                    }
                };
    }

    private record Watchful(Selector.WatchfulTurn turn) implements LeaderSelectorListener {

        @Override
        public void takeLeadership(ElectionClient client) throws Exception {
            turn.takeLeadership();
        }

        @Override
        public void stateChanged(ElectionClient client, ConnectionState newState) {
            turn.stateChanged(newState);
        }
    }

    @Override
    public void expire(Client client) {
        AtomicBoolean isLost = new AtomicBoolean();
        client.onStateChange(state -> isLost.compareAndSet(false, state == ConnectionState.LOST));
        cut(client);
        eventually("the client is LOST", isLost::get);
        heal(client);
    }

    @Override
    public Object participant(String id, boolean leader) {
        return new Participant(id, leader);
    }

    @Override
    public boolean isErrorState(Policy policy, ConnectionState state) {
        return policy.ofQuorate().isErrorState(state);
    }
}
