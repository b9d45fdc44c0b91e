package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Anyone may ask a probe at any rate, so it costs little, and nothing else that is asked keeps it waiting. */
class ProbesTest {

    private static final List<String> PROBES = List.of("/live", "/ready", "/ready?mode=connected");
    private static final int LED = 1000;

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = Clients.over(engine);

    @BeforeEach
    void start() {
        client.start();
    }

    @AfterEach
    void close() {
        client.close();
    }

    private OpsServer serving() {
        return OpsServer.builder(client).port(0).timeout(Duration.ofHours(1)).start();
    }

    /** How many leases the server looks at for an answer. */
    private long looks(OpsServer server, String target) {
        long before = engine.clock().reads();
        assertThat(Web.get(server, target).body()).contains("\"state\":");
        return engine.clock().reads() - before;
    }

    // A status looks at each, so the count can tell the difference.
    @Test
    void aProbeLooksAtNoPath() {
        for (int i = 0; i < LED; i++) {
            Web.latch(client, "/app/" + i, "me");
            engine.last().grant(i + 1);
        }
        try (OpsServer server = serving()) {
            assertThat(looks(server, "/status")).isGreaterThanOrEqualTo(LED);
            assertThat(PROBES).allSatisfy(probe -> assertThat(looks(server, probe))
                    .as("leases that %s looks at", probe)
                    .isZero());
        }
    }

    // Each thread that answers something else hangs, and others wait behind it.
    @Test
    void probesAreAnsweredWhileAllOtherThreadsHang() {
        Web.latch(client, "/app/leader", "me");
        CountDownLatch end = new CountDownLatch(1);
        engine.last().onExplain(() -> Deadline.await(end, "the node answers"));
        try (OpsServer server = serving()) {
            List<CompletableFuture<HttpResponse<String>>> stuck = new ArrayList<>();
            for (int i = 0; i < Callers.REQUESTS_MAX; i++) {
                stuck.add(Web.later(Web.request(server, "/leader?path=/app/leader")));
            }
            assertThat(PROBES)
                    .allSatisfy(
                            probe -> assertThat(Web.get(server, probe).body()).contains("\"state\":"));
            end.countDown();
            stuck.forEach(CompletableFuture::join);
        }
    }

    // They never stop, so a server that answered one connection until it is silent would have no thread for a probe.
    @Test
    void probesAreAnsweredWhileStrangersSendRequestAfterRequest() throws Exception {
        try (OpsServer server = serving();
                Strangers strangers = Strangers.flooding(server, 16, "/live", "/unknown")) {
            for (int i = 0; i < LED / 100; i++) {
                assertThat(PROBES)
                        .allSatisfy(probe ->
                                assertThat(Web.get(server, probe).body()).contains("\"state\":"));
            }
            assertThat(strangers.bytesRead()).isPositive();
        }
    }
}
