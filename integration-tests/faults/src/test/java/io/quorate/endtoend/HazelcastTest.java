package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.config.NetworkConfig;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.demo.Cluster;
import io.quorate.spi.NodeId;
import io.quorate.testkit.RealTime;
import io.quorate.vertx.VertxTransport;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The election over an application's own Vert.x, whose nodes find each other by Hazelcast. */
@RealTime
class HazelcastTest {

    private static final String PATH = "/app/leader";
    private static final String CLUSTER = "own";

    private final OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3");
    private final Map<String, String> hazelcast = Cluster.freeAddresses(nodes.ids());
    private final String hazelcastCluster = UUID.randomUUID().toString();
    private final Map<String, Vertx> vertx = new LinkedHashMap<>();

    // One of its messages comes before it has read a configuration.
    @BeforeAll
    static void silence() {
        System.setProperty("hazelcast.logging.type", "none");
    }

    /** On the loopback interface alone; it neither searches by multicast nor calls home. */
    private Config config(String id) {
        Config config = ConfigUtil.loadConfig().setClusterName(hazelcastCluster);
        config.setProperty("hazelcast.phone.home.enabled", "false")
                .setProperty("hazelcast.shutdownhook.enabled", "false")
                .setProperty("hazelcast.socket.bind.any", "false")
                .setProperty("hazelcast.wait.seconds.before.join", "0");
        NetworkConfig network =
                config.getNetworkConfig().setPort(port(hazelcast.get(id))).setPortAutoIncrement(false);
        network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        network.getJoin().getMulticastConfig().setEnabled(false);
        network.getJoin().getTcpIpConfig().setEnabled(true).setMembers(new ArrayList<>(hazelcast.values()));
        return config;
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    private LeaderLatch start(String id) throws Exception {
        // What the documentation of the package asks for.
        EventBusOptions bus = new EventBusOptions()
                .setHost("127.0.0.1")
                .setPort(port(nodes.addresses().get(id)))
                .setClusterPingInterval(1000)
                .setClusterPingReplyInterval(2000)
                .setConnectTimeout(1000)
                .setReadIdleTimeout(3500)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setReconnectAttempts(0);
        Vertx own = Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(1).setEventBusOptions(bus))
                .withClusterManager(new HazelcastClusterManager(config(id)))
                .buildClustered()
                .toCompletionStage()
                .toCompletableFuture()
                .get(OneJvm.DEADLINE.toSeconds(), TimeUnit.SECONDS);
        vertx.put(id, own);
        nodes.start(
                id,
                ElectionClient.builder()
                        .clusterId(CLUSTER)
                        .voters(nodes.ids())
                        .transport(VertxTransport.on(own, CLUSTER, new NodeId(id))));
        return nodes.latch(id, PATH, id);
    }

    private void closeVertx(String id) throws Exception {
        vertx.remove(id)
                .close()
                .toCompletionStage()
                .toCompletableFuture()
                .get(OneJvm.DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }

    @AfterEach
    void closeAll() throws Exception {
        nodes.close();
        for (String id : List.copyOf(vertx.keySet())) {
            closeVertx(id);
        }
    }

    // docs/transport.md#event-bus: on the application's Vertx. One node goes in order, one without a word.
    @Test
    void aLeaderIsFollowedWhetherItClosesOrItsVertxIsGone() throws Exception {
        List<LeaderLatch> open = new ArrayList<>();
        for (String id : nodes.ids()) {
            open.add(start(id));
        }
        assertThat(vertx.get("n1").isClustered()).isTrue();
        LeaderLatch closed = nodes.awaitLeader(open);
        long firstToken = closed.fencingToken();
        open.remove(closed);
        nodes.client(closed.getId()).close();
        closeVertx(closed.getId());
        LeaderLatch cutOff = nodes.awaitLeader(open);
        long secondToken = cutOff.fencingToken();
        assertThat(secondToken).as(nodes::describe).isGreaterThan(firstToken);

        open.add(start(closed.getId()));
        nodes.await(
                "the one that is back contends",
                () -> cutOff.explain().contenders().size() == 3);
        open.remove(cutOff);
        closeVertx(cutOff.getId());
        LeaderLatch last = nodes.awaitLeader(open);
        assertThat(last.fencingToken()).as(nodes::describe).isGreaterThan(secondToken);
        assertThat(cutOff.hasLeadership()).as(nodes::describe).isFalse();
    }
}
