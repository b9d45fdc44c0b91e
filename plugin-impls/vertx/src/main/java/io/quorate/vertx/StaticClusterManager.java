package io.quorate.vertx;

import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.vertx.core.Completable;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.core.shareddata.Counter;
import io.vertx.core.shareddata.Lock;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.spi.cluster.NodeInfo;
import io.vertx.core.spi.cluster.NodeListener;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.core.spi.cluster.RegistrationListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of Vert.x instances that is a fixed list of addresses: no discovery, no membership, no shared data, no
 * other software. Only the addresses of {@link VertxTransport} lead to other nodes; every other event bus address
 * stays within its Vertx. Cluster-wide maps, locks and counters, and high availability, are refused.
 *
 * <p>The event bus of the Vertx must listen where the list says (EventBusOptions host and port). A manager serves one
 * Vertx. All methods may be called from any thread, and complete their promises on it.
 */
public final class StaticClusterManager implements ClusterManager {

    private final String self;
    private final Map<String, NodeInfo> nodes = new TreeMap<>();
    private final Map<String, List<RegistrationInfo>> registrations = new HashMap<>();
    private volatile boolean active;
    private volatile Connector connector = (node, address, promise) -> promise.succeed(address);

    /** Finds the address of a node before the event bus connects to it. */
    interface Connector {

        /** Completes the promise, at any time and on any thread, with the address that the bus is to connect to. */
        void connect(String node, NodeInfo address, Completable<NodeInfo> promise);
    }

    /**
     * A manager of a list of nodes.
     *
     * @param clusterId the cluster id of the transports that will use the Vertx
     * @param self      this node, a key of {@code addresses}
     * @param addresses the address at which each node listens, as other nodes reach it; names are resolved at each
     *                  connect
     * @throws IllegalArgumentException if {@code addresses} lacks {@code self}
     */
    public StaticClusterManager(String clusterId, NodeId self, Map<NodeId, HostAndPort> addresses) {
        Check.argument(addresses.containsKey(self), "node %s: is not among the addresses %s", self, addresses);
        this.self = self.value();
        addresses.forEach((node, address) -> {
            nodes.put(node.value(), new NodeInfo(address.host(), address.port(), null));
            List<RegistrationInfo> there = List.of(new RegistrationInfo(node.value(), 0, false));
            registrations.put(VertxTransport.address(clusterId, node), there);
            registrations.put(VertxTransport.address(node), there);
        });
    }

    /** Uses this connector from now on. Without one, the bus connects at once. */
    void connector(Connector asked) {
        connector = asked;
    }

    @Override
    public void init(Vertx vertx) {
        // Nothing is needed of it.
    }

    @Override
    public void join(Completable<Void> promise) {
        active = true;
        promise.succeed();
    }

    @Override
    public void leave(Completable<Void> promise) {
        active = false;
        promise.succeed();
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public String getNodeId() {
        return self;
    }

    @Override
    public List<String> getNodes() {
        return List.copyOf(nodes.keySet());
    }

    @Override
    @SuppressWarnings("exports") // of an annotation that nobody needs
    public @Nullable NodeInfo getNodeInfo() {
        return nodes.get(self);
    }

    @Override
    public void getNodeInfo(String nodeId, Completable<NodeInfo> promise) {
        NodeInfo info = nodes.get(nodeId);
        if (info == null) {
            promise.fail("node " + nodeId + " is not among " + nodes.keySet());
        } else {
            connector.connect(nodeId, info, promise);
        }
    }

    /** {@inheritDoc} An empty list makes Vert.x deliver the message within this Vertx. */
    @Override
    public void getRegistrations(String address, Completable<List<RegistrationInfo>> promise) {
        promise.succeed(registrations.getOrDefault(address, List.of()));
    }

    @Override
    public void addRegistration(String address, RegistrationInfo registration, Completable<Void> promise) {
        promise.succeed();
    }

    @Override
    public void removeRegistration(String address, RegistrationInfo registration, Completable<Void> promise) {
        promise.succeed();
    }

    @Override
    public void setNodeInfo(NodeInfo nodeInfo, Completable<Void> promise) {
        // Everybody has the list already.
        promise.succeed();
    }

    @Override
    public void registrationListener(RegistrationListener listener) {
        // The registrations never change.
    }

    @Override
    public void nodeListener(NodeListener listener) {
        // The nodes never change.
    }

    @Override
    public <K, V> void getAsyncMap(String name, Completable<AsyncMap<K, V>> promise) {
        promise.fail(refusal("map"));
    }

    @Override
    public <K, V> Map<K, V> getSyncMap(String name) {
        throw refusal("map");
    }

    @Override
    public void getLockWithTimeout(String name, long timeout, Completable<Lock> promise) {
        promise.fail(refusal("lock"));
    }

    @Override
    public void getCounter(String name, Completable<Counter> promise) {
        promise.fail(refusal("counter"));
    }

    private static UnsupportedOperationException refusal(String what) {
        return new UnsupportedOperationException("cluster-wide " + what + ": a cluster that is a fixed list of"
                + " addresses does not share data; use a local one, or another cluster manager");
    }
}
