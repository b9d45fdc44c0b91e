package io.quorate.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ElectionClient;
import io.quorate.ElectionConfig;
import io.quorate.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The YAML of docs/kubernetes.md is whole, its parts fit together, and its environment makes a client. */
class RecipeTest {

    @TempDir
    private Path directory;

    private final Recipe recipe = Recipe.ofDocument();

    @Test
    void peersFindEachOtherBeforeTheyAreReady() {
        assertThat(recipe.get("Service", "spec", "clusterIP")).isEqualTo("None");
        assertThat(recipe.get("Service", "spec", "publishNotReadyAddresses")).isEqualTo(true);
        assertThat(recipe.get("Service", "metadata", "name"))
                .isEqualTo(recipe.get("StatefulSet", "spec", "serviceName"));
        assertThat(recipe.get("StatefulSet", "spec", "podManagementPolicy")).isEqualTo("Parallel");
    }

    @Test
    void everySelectorChoosesThePods() {
        Object labels = recipe.get("StatefulSet", "spec", "template", "metadata", "labels");
        assertThat(recipe.get("Service", "spec", "selector")).isEqualTo(labels);
        assertThat(recipe.get("StatefulSet", "spec", "selector", "matchLabels")).isEqualTo(labels);
        assertThat(recipe.get("PodDisruptionBudget", "spec", "selector", "matchLabels"))
                .isEqualTo(labels);
        Object spread = ofPod("topologySpreadConstraints");
        assertThat(spread)
                .isEqualTo(List.of(Map.of(
                        "maxSkew",
                        1,
                        "topologyKey",
                        "kubernetes.io/hostname",
                        "whenUnsatisfiable",
                        "DoNotSchedule",
                        "labelSelector",
                        Map.of("matchLabels", labels))));
    }

    private Object ofPod(String key) {
        return recipe.get("StatefulSet", "spec", "template", "spec", key);
    }

    @Test
    void onlyPodsOfTheApplicationReachTheNodes() {
        Object labels = recipe.get("StatefulSet", "spec", "template", "metadata", "labels");
        assertThat(recipe.get("NetworkPolicy", "spec", "podSelector", "matchLabels"))
                .isEqualTo(labels);
        assertThat(recipe.get("NetworkPolicy", "spec", "ingress", 0))
                .isEqualTo(Map.of(
                        "from",
                        List.of(Map.of("podSelector", Map.of("matchLabels", labels))),
                        "ports",
                        List.of(Map.of("port", 7400))));
        assertThat(recipe.get("NetworkPolicy", "spec", "ingress", 1))
                .isEqualTo(Map.of("ports", List.of(Map.of("port", 8080))));
    }

    // The Pod Security Standard "restricted", as far as a pod has to say something.
    @Test
    void thePodMayRunWhereSecurityIsRestricted() {
        Map<?, ?> pod = (Map<?, ?>) ofPod("securityContext");
        assertThat(pod.get("runAsNonRoot")).isEqualTo(true);
        assertThat(pod.get("seccompProfile")).isEqualTo(Map.of("type", "RuntimeDefault"));
        Map<?, ?> container =
                (Map<?, ?>) recipe.get("StatefulSet", "spec", "template", "spec", "containers", 0, "securityContext");
        assertThat(container.get("allowPrivilegeEscalation")).isEqualTo(false);
        assertThat(container.get("capabilities")).isEqualTo(Map.of("drop", List.of("ALL")));
    }

    // What else the page says to put in: the probes of Boot, and the files of one pod.
    @Test
    void thePartsFitTheRecipe() {
        Map<String, Object> parts = Recipe.parts();
        assertThat(parts.keySet())
                .containsExactlyInAnyOrder("livenessProbe", "readinessProbe", "startupProbe", "volumes", "env");
        assertThat(parts.get("readinessProbe").toString()).contains("path=/actuator/health/readiness, port=probes");
        assertThat(parts.get("volumes").toString())
                .contains("quorate://"
                        + recipe.environment("app-0", Map.of("terms", directory, "secrets", directory))
                                .get("QUORATE_CLUSTER_ID")
                        + "/${POD_NAME}");
        Map<String, String> environment = new TreeMap<>();
        for (Object each : (List<?>) parts.get("env")) {
            Map<?, ?> variable = (Map<?, ?>) each;
            environment.put(
                    (String) variable.get("name"), ((String) variable.get("value")).replace("$(POD_NAME)", "app-1"));
        }
        assertThatThrownBy(() -> ElectionClient.builder()
                        .nodeId("app-1")
                        .peers("app-1=127.0.0.1:7400")
                        .from(environment)
                        .build())
                .hasMessageContaining("/etc/quorate-tls/app-1.crt")
                .hasMessageContaining("/etc/quorate-tls/app-1.key")
                .hasMessageContaining("/etc/quorate-tls/ca.crt");
    }

    // A voter that was started anew is silent for one support time, and joins within another one.
    @Test
    void atMostOneVoterIsOut() {
        assertThat(recipe.get("PodDisruptionBudget", "spec", "maxUnavailable")).isEqualTo(1);
        assertThat(recipe.minReady())
                .isGreaterThan(Profile.DEFAULT.supportDuration().multipliedBy(2));
        assertThat(recipe.get("StatefulSet", "spec").toString()).doesNotContain("preStop", "maxUnavailable");
    }

    @Test
    void probesAskForLifeAndForTheFirstJoin() {
        assertThat(recipe.probe("livenessProbe")).isEqualTo(":8080/live");
        assertThat(recipe.probe("readinessProbe")).isEqualTo(":8080/ready");
    }

    @Test
    void everyVolumeThatIsMountedIsThere() {
        assertThat(recipe.mounts().keySet())
                .containsExactlyInAnyOrder(
                        (String) recipe.get("StatefulSet", "spec", "volumeClaimTemplates", 0, "metadata", "name"),
                        (String) ((Map<?, ?>) ((List<?>) ofPod("volumes")).get(0)).get("name"));
        assertThat(((List<?>) ofPod("volumes")).get(0).toString()).contains("defaultMode=" + 0440);
    }

    @Test
    void theEnvironmentMakesAClientWithTheNameOfItsPod() throws IOException {
        Map<String, Path> volumes =
                Map.of("terms", directory.resolve("terms"), "secrets", directory.resolve("secrets"));
        Files.createDirectory(volumes.get("secrets"));
        Files.writeString(volumes.get("secrets").resolve("secret"), "a secret of 16 bytes and more\n");
        for (int ordinal = 0; ordinal < recipe.replicas(); ordinal++) {
            Map<String, String> environment = recipe.environment(recipe.pod(ordinal), volumes);
            try (ElectionClient client =
                    ElectionClient.builder().from(environment).build()) {
                assertThat(client.nodeId()).isEqualTo("app-" + ordinal);
            }
            // SIGKILL must not come while a leader may still finish its work, nor while the others may still read what
            // it has told them.
            Duration drain = ElectionConfig.builder().from(environment).build().drainTimeout();
            assertThat(drain).isPositive();
            assertThat(recipe.grace()).isGreaterThanOrEqualTo(drain.plusSeconds(25));
        }
        assertThat(recipe.environment("app-1", volumes))
                .containsEntry("QUORATE_SECRET_FILE", volumes.get("secrets") + "/secret")
                .containsEntry("QUORATE_LISTEN", "0.0.0.0:7400");
        assertThatThrownBy(() -> ElectionClient.builder()
                        .from(recipe.environment("app-3", volumes))
                        .build())
                .hasMessageContaining("app-3");
    }

    @Test
    void missingPartsAreNamed() {
        assertThatThrownBy(() -> recipe.get("Deployment")).hasMessage("no Deployment");
        assertThatThrownBy(() -> recipe.get("Service", "spec", "type")).hasMessage("Service has no [spec, type]");
    }
}
