package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ops.OpsServer;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/**
 * Who does not ask for meters gets no Micrometer: this class path is that of an application with {@code quorate-impls}
 * and {@code quorate-ops}, and the tools of these tests.
 */
class WithoutMicrometerTest {

    @Test
    void nobodyBringsIt() {
        assertThatThrownBy(() -> Class.forName("io.micrometer.core.instrument.MeterRegistry"))
                .isInstanceOf(ClassNotFoundException.class);
        assertThatThrownBy(() -> Class.forName("io.quorate.ops.QuorateMeters")).isInstanceOf(LinkageError.class);
    }

    @Test
    void theEndpointsNeedItNot() throws Exception {
        try (ElectionClient client = Clients.over(new FakeEngine());
                OpsServer server = OpsServer.builder(client).port(0).start()) {
            HttpRequest live = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + server.address().getPort() + "/live"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(live, BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
    }
}
