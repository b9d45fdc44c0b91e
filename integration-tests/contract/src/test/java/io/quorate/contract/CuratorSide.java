package io.quorate.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.CancelLeadershipException;
import io.quorate.ConnectionState;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.contract.CuratorTypes.CuratorLatch;
import io.quorate.contract.CuratorTypes.CuratorSelector;
import io.quorate.link.LinkProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListener;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListenerAdapter;
import org.apache.curator.framework.recipes.leader.Participant;
import org.apache.curator.framework.state.ConnectionStateErrorPolicy;
import org.apache.curator.framework.state.SessionConnectionStateErrorPolicy;
import org.apache.curator.framework.state.StandardConnectionStateErrorPolicy;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** Curator, each client with a connection of its own that can be cut. */
final class CuratorSide implements RealTime {

    /** ZooKeeper's client may sleep for 2 s before it connects again; an outage may last that long without a loss. */
    private static final Duration SESSION = Duration.ofSeconds(3);

    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(1);

    private final ZooKeeperServer server;
    private final List<CuratorClient> clients = new ArrayList<>();
    private final List<LinkProxy> proxies = new ArrayList<>();
    private Policy policy = Policy.DEFAULT;

    CuratorSide(ZooKeeperServer server) {
        this.server = server;
    }

    /** A client, and the only way that it has to the server. */
    private record CuratorClient(CuratorFramework client, LinkProxy proxy) implements Client {

        @Override
        public void start() {
            client.start();
        }

        @Override
        public void close() {
            client.close();
        }

        @Override
        public boolean blockUntilConnected(Duration longest) throws InterruptedException {
            return client.blockUntilConnected((int) longest.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void onStateChange(Consumer<ConnectionState> listener) {
            client.getConnectionStateListenable()
                    .addListener((source, state) -> listener.accept(CuratorTypes.state(state)));
        }
    }

    @Override
    public boolean isCurator() {
        return true;
    }

    @Override
    public void policy(Policy chosen) {
        policy = chosen;
    }

    private static ConnectionStateErrorPolicy named(Policy policy) {
        return policy == Policy.SESSION
                ? new SessionConnectionStateErrorPolicy()
                : new StandardConnectionStateErrorPolicy();
    }

    @Override
    public Client newClient() {
        LinkProxy proxy = new LinkProxy("127.0.0.1:" + server.port());
        proxies.add(proxy);
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(proxy.address())
                .sessionTimeoutMs((int) SESSION.toMillis())
                .connectionTimeoutMs((int) CONNECTION_TIMEOUT.toMillis())
                .retryPolicy(new RetryNTimes(1, 200));
        if (policy != Policy.DEFAULT) {
            builder.connectionStateErrorPolicy(named(policy));
        }
        CuratorClient client = new CuratorClient(builder.build(), proxy);
        clients.add(client);
        return client;
    }

    private static CuratorFramework client(Client client) {
        return client == null ? null : ((CuratorClient) client).client;
    }

    @Override
    public Latch latch(Client client, String path) {
        return new CuratorLatch(new LeaderLatch(client(client), path));
    }

    @Override
    public Latch latch(Client client, String path, String id) {
        return new CuratorLatch(new LeaderLatch(client(client), path, id));
    }

    @Override
    public Latch latch(Client client, String path, String id, CloseMode closeMode) {
        return new CuratorLatch(new LeaderLatch(client(client), path, id, CuratorTypes.closeMode(closeMode)));
    }

    @Override
    public Latch subclassed(
            Client client, String path, Consumer<ConnectionState> handled, Consumer<Boolean> cancelled) {
        return new CuratorLatch(new LeaderLatch(client(client), path) {
            @Override
            protected void handleStateChange(org.apache.curator.framework.state.ConnectionState newState) {
                handled.accept(CuratorTypes.state(newState));
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
        return new CuratorSelector(new LeaderSelector(client(client), path, listener(turn)));
    }

    @Override
    public Selector selector(Client client, String path, ExecutorService executor, Selector.Turn turn) {
        return new CuratorSelector(new LeaderSelector(client(client), path, executor, listener(turn)));
    }

    private static LeaderSelectorListener listener(Selector.Turn turn) {
        if (turn == null) {
            return null;
        }
        return turn instanceof Selector.WatchfulTurn watchful
                ? new Watchful(watchful)
                : new LeaderSelectorListenerAdapter() {
                    @Override
                    public void takeLeadership(CuratorFramework client) throws Exception {
                        turn.takeLeadership();
                    }
                };
    }

    private record Watchful(Selector.WatchfulTurn turn) implements LeaderSelectorListener {

        @Override
        public void takeLeadership(CuratorFramework client) throws Exception {
            try {
                turn.takeLeadership();
            } catch (CancelLeadershipException e) {
                throw new org.apache.curator.framework.recipes.leader.CancelLeadershipException(e);
            }
        }

        @Override
        public void stateChanged(CuratorFramework client, org.apache.curator.framework.state.ConnectionState state) {
            try {
                turn.stateChanged(CuratorTypes.state(state));
            } catch (CancelLeadershipException e) {
                throw new org.apache.curator.framework.recipes.leader.CancelLeadershipException(e);
            }
        }
    }

    @Override
    public Object participant(String id, boolean leader) {
        return new Participant(id, leader);
    }

    @Override
    public boolean isErrorState(Policy asked, ConnectionState state) {
        return named(asked).isErrorState(org.apache.curator.framework.state.ConnectionState.valueOf(state.name()));
    }

    @Override
    public Duration session() {
        return SESSION;
    }

    @Override
    public void cut(Client client) {
        ((CuratorClient) client).proxy.sever();
    }

    @Override
    public void heal(Client client) {
        ((CuratorClient) client).proxy.heal();
    }

    // Whoever knows a session's number and password can end it at the server; the client learns of it a little later.
    @Override
    public void expire(Client client) {
        try {
            ZooKeeper session = client(client).getZookeeperClient().getZooKeeper();
            CountDownLatch isConnected = new CountDownLatch(1);
            ZooKeeper second = new ZooKeeper(
                    "127.0.0.1:" + server.port(),
                    (int) SESSION.toMillis(),
                    event -> {
                        // Others tell that it does not succeed.
                        if (event.getState() == KeeperState.SyncConnected) {
                            isConnected.countDown();
                        }
                    },
                    session.getSessionId(),
                    session.getSessionPasswd());
            try {
                assertThat(isConnected.await(Real.DEADLINE.toSeconds(), TimeUnit.SECONDS))
                        .as("the session is taken over")
                        .isTrue();
            } finally {
                second.close();
            }
        } catch (Exception e) {
            // Justification: getZooKeeper declares it; a client that has none cannot lose its session.
            throw new AssertionError(e);
        }
    }

    @Override
    public void crash(Client client) {
        cut(client);
    }

    @Override
    public void stopService() {
        server.stop();
    }

    @Override
    public void startService() {
        server.start();
    }

    @Override
    public void wipeService() {
        server.wipe();
    }

    @Override
    public void close() {
        proxies.forEach(LinkProxy::heal);
        server.start();
        clients.stream()
                .map(CuratorClient::client)
                .filter(client -> client.getState() == CuratorFrameworkState.STARTED)
                .forEach(CuratorFramework::close);
        proxies.forEach(LinkProxy::close);
    }
}
