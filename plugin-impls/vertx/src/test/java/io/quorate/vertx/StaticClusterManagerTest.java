package io.quorate.vertx;

import static io.quorate.testkit.Inbox.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.Inbox;
import io.vertx.core.Completable;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.spi.cluster.NodeInfo;
import io.vertx.core.spi.cluster.RegistrationInfo;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The fixed list as Vert.x sees it. */
class StaticClusterManagerTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final Map<NodeId, HostAndPort> ADDRESSES =
            Map.of(A, new HostAndPort("host-a", 1001), B, new HostAndPort("host-b", 1002));

    private final StaticClusterManager manager = new StaticClusterManager("cluster", A, ADDRESSES);

    /** What the manager completes at once. */
    private static <T> CompletableFuture<T> answer(Consumer<Completable<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        question.accept((result, failure) -> {
            if (failure == null) {
                answer.complete(result);
            } else {
                answer.completeExceptionally(failure);
            }
        });
        assertThat(answer).isDone();
        return answer;
    }

    @Test
    void onlyTheAddressesOfNodesLeadAnywhere() {
        List<RegistrationInfo> found = answer(
                        (Completable<List<RegistrationInfo>> p) -> manager.getRegistrations("quorate.cluster.b", p))
                .join();
        assertThat(found).containsExactly(new RegistrationInfo("b", 0, false));
        for (String other : List.of("quorate.cluster.c", "quorate.other.b", "b", "")) {
            assertThat(answer((Completable<List<RegistrationInfo>> p) -> manager.getRegistrations(other, p))
                            .join())
                    .isEmpty();
        }
    }

    @Test
    void nodesAreWhereTheListSays() {
        NodeInfo info =
                answer((Completable<NodeInfo> p) -> manager.getNodeInfo("b", p)).join();
        assertThat(info.host()).isEqualTo("host-b");
        assertThat(info.port()).isEqualTo(1002);
        assertThat(answer((Completable<NodeInfo> p) -> manager.getNodeInfo("c", p)))
                .isCompletedExceptionally();
        assertThat(manager.getNodeId()).isEqualTo("a");
        assertThat(manager.getNodeInfo().port()).isEqualTo(1001);
        assertThat(manager.getNodes()).containsExactly("a", "b");
    }

    @Test
    void itIsActiveBetweenJoinAndLeave() {
        assertThat(manager.isActive()).isFalse();
        answer((Completable<Void> p) -> manager.join(p)).join();
        assertThat(manager.isActive()).isTrue();
        answer((Completable<Void> p) -> manager.leave(p)).join();
        assertThat(manager.isActive()).isFalse();
    }

    @Test
    void sharedDataIsRefused() {
        assertThat(answer((Completable<io.vertx.core.shareddata.Lock> p) -> manager.getLockWithTimeout("x", 1, p)))
                .isCompletedExceptionally();
        assertThat(answer((Completable<io.vertx.core.shareddata.Counter> p) -> manager.getCounter("x", p)))
                .isCompletedExceptionally();
        assertThat(answer((Completable<io.vertx.core.shareddata.AsyncMap<String, String>> p) ->
                        manager.getAsyncMap("x", p)))
                .isCompletedExceptionally();
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> manager.getSyncMap("x"));
    }

    @Test
    void aNodeThatIsNotOnTheListIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StaticClusterManager("cluster", new NodeId("c"), ADDRESSES))
                .withMessageContaining("node c");
    }

    // An application that uses the Vertx for its own messages too must get them, although no list names its addresses.
    @Test
    void otherAddressesStayWithinTheVertx() throws IOException {
        try (Nodes nodes = new Nodes("a")) {
            Vertx vertx = nodes.vertx("a");
            Inbox inbox = new Inbox();
            vertx.eventBus()
                    .<String>consumer("news", message -> inbox.received(Optional.empty(), frame(message.body())))
                    .completion()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(600, TimeUnit.SECONDS)
                    .join();
            vertx.eventBus().publish("news", "hello");
            Deadline.await(() -> inbox.has("hello"), inbox::all);
        }
    }

    @Test
    void theEmbeddedOptionsAreTheMeasuredOnes() {
        EventBusOptions options = EmbeddedOptions.vertx(ADDRESSES.get(A)).getEventBusOptions();
        assertThat(options.getReconnectAttempts()).isZero();
        assertThat(options.getConnectTimeout()).isEqualTo(1000);
        assertThat(options.getClusterPingInterval()).isEqualTo(1000);
        assertThat(options.getClusterPingReplyInterval()).isEqualTo(2000);
        // It would end connections that carry frames: the bus sees nothing of them. See OwnChannels.
        assertThat(options.getReadIdleTimeout()).isZero();
        assertThat(OwnChannels.SILENCE_MILLIS).isBetween(3000, 4000);
        assertThat(options.getHost()).isEqualTo("host-a");
        assertThat(options.getPort()).isEqualTo(1001);
    }
}
