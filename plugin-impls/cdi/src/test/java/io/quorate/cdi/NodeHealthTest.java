package io.quorate.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import java.lang.annotation.Annotation;
import java.time.Duration;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.health.Startup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The probes answer by the table of docs/settings.md#probes. */
class NodeHealthTest {

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    private static HealthCheckResponse answer(Application application, Annotation probe) {
        HealthCheck check =
                application.container().select(HealthCheck.class, probe).get();
        return check.call();
    }

    private static void assertAnswers(Application application, boolean live, boolean ready, boolean started) {
        assertAnswer(application, Liveness.Literal.INSTANCE, live);
        assertAnswer(application, Readiness.Literal.INSTANCE, ready);
        assertAnswer(application, Startup.Literal.INSTANCE, started);
    }

    private static void assertAnswer(Application application, Annotation probe, boolean isUp) {
        assertThat(answer(application, probe).getStatus())
                .as("%s", probe)
                .isEqualTo(isUp ? HealthCheckResponse.Status.UP : HealthCheckResponse.Status.DOWN);
    }

    private Application on(String node, String readiness) {
        return Application.with(cluster.client(node), Map.of("quorate.readiness", readiness));
    }

    @Test
    void aNodeIsReadyWhenItHasJoinedAndStaysSo() {
        try (Application application = on("n1", "joined")) {
            assertAnswers(application, true, false, true);
            cluster.advance(Duration.ofSeconds(5));
            assertAnswers(application, true, true, true);
            cluster.isolate("n1");
            cluster.advance(Duration.ofSeconds(5));
            assertAnswers(application, true, true, true);
            cluster.heal();
            application.get(io.quorate.ElectionClient.class).close();
            assertAnswers(application, true, false, false);
        }
    }

    @Test
    void otherReadinessIsASetting() {
        try (Application connected = on("n1", "connected");
                Application none = on("n2", "none")) {
            assertAnswers(connected, true, false, true);
            assertAnswers(none, true, true, true);
            cluster.advance(Duration.ofSeconds(5));
            assertAnswers(connected, true, true, true);
            cluster.isolate("n1");
            cluster.advance(Duration.ofSeconds(5));
            assertAnswers(connected, true, false, true);
            cluster.heal();
        }
    }

    @Test
    void anAnswerSaysHowTheNodeIs() {
        try (Application application = on("n1", "joined")) {
            cluster.advance(Duration.ofSeconds(5));
            HealthCheckResponse answer = answer(application, Readiness.Literal.INSTANCE);
            assertThat(answer.getName()).isEqualTo("quorate");
            assertThat(answer.getData().orElseThrow())
                    .containsEntry("state", "UP")
                    .containsEntry("voters", "n1,n2,n3")
                    .containsOnlyKeys("state", "reason", "voters", "supporters");
        }
    }

    @Test
    void withoutAClientAllIsWell() {
        try (Application application = Application.of(Map.of("quorate.enabled", "false"), LeaderOnlyTest.Work.class)) {
            assertAnswers(application, true, true, true);
            assertThat(answer(application, Liveness.Literal.INSTANCE).getData().orElseThrow())
                    .containsEntry("enabled", false);
        }
    }
}
