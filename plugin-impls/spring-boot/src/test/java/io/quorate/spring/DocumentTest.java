package io.quorate.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.testkit.FreePorts;
import io.quorate.testkit.ShownCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

/**
 * What docs/spring.md shows compiles, its settings elect as they are printed, and it names each setting of the starter.
 * The suite {@code real} runs the whole page: integration-tests/foreign.
 */
class DocumentTest {

    private static final ShownCode DOCUMENT = ShownCode.of("spring.md");
    private static final Pattern ADDRESS = Pattern.compile("(n\\d=)[0-9.]+:\\d+");

    @TempDir
    private Path directory;

    @Test
    void itsBlocksCompile() throws IOException {
        DOCUMENT.assertIsCompiled(6, "@LeaderOnly(");
    }

    @Test
    void itNamesTheSettingsOfTheStarter() throws IOException {
        String document = DOCUMENT.text();
        assertThat(EnvironmentSettings.OWN_KEYS)
                .allSatisfy(key -> assertThat(document).contains("| `" + key + "` |"));
    }

    // ---------------------------------------------------------------- the settings, as they are printed

    /** With the addresses and directories of this machine. */
    private String here(String shown) {
        List<Integer> ports = List.of(FreePorts.take(), FreePorts.take(), FreePorts.take());
        int[] next = {0};
        return ADDRESS.matcher(shown.replaceAll("/(etc|var/lib)/app", directory + "/$1/app"))
                .replaceAll(peer -> peer.group(1) + "127.0.0.1:" + ports.get(next[0]++));
    }

    private static ElectionClient client(String yaml, String node, Map<String, Object> own) throws IOException {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("own", own));
        List<PropertySource<?>> shown = new YamlPropertySourceLoader()
                .load("shown", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        shown.forEach(environment.getPropertySources()::addLast);
        return EnvironmentSettingsTest.made(environment, ElectionClient.builder())
                .nodeId(node)
                .build();
    }

    private void assertElects(String yaml, boolean hasDirectory) throws Exception {
        List<ElectionClient> clients = new ArrayList<>();
        try {
            List<CompletableFuture<?>> leads = new ArrayList<>();
            for (String node : List.of("n1", "n2", "n3")) {
                // The machines have one disk here.
                Map<String, Object> own = hasDirectory
                        ? Map.of(
                                "quorate.data-directory",
                                directory.resolve("var/lib/app/" + node).toString())
                        : Map.of();
                ElectionClient client = client(yaml, node, own);
                clients.add(client);
                client.start();
                LeaderLatch latch = new LeaderLatch(client, "/app/reports", node);
                latch.start();
                leads.add(latch.awaitAsync().toCompletableFuture());
            }
            CompletableFuture.anyOf(leads.toArray(CompletableFuture[]::new)).get(10, TimeUnit.MINUTES);
        } finally {
            clients.forEach(ElectionClient::close);
        }
    }

    @Test
    void itsFirstSettingsElectOnOneMachineThatHasNoFiles() throws Exception {
        assertElects(here(DOCUMENT.printed("yaml").get(0)), false);
    }

    @Test
    void itsSecondSettingsElectWithTheFilesThatItSaysHowToMake() throws Exception {
        String commands = DOCUMENT.printed("").stream()
                .filter(block -> block.contains("quorate-secret"))
                .findFirst()
                .orElseThrow();
        String yaml = here(DOCUMENT.printed("yaml").get(1));
        assertThatThrownBy(() -> client(yaml, "n1", Map.of())).hasMessageContaining("quorate-secret");
        Process shell =
                new ProcessBuilder("sh", "-ec", here(commands)).inheritIO().start();
        assertThat(shell.waitFor()).isZero();
        assertElects(yaml, true);
    }
}
