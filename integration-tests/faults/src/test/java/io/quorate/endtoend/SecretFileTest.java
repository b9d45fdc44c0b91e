package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.demo.Cluster;
import io.quorate.testkit.RealTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over real sockets, and configured by properties and the environment: who knows the secret elects. */
@RealTime
class SecretFileTest {

    private static final String PATH = "/secret/leader";

    private static Properties properties(OneJvm nodes) {
        Properties properties = new Properties();
        properties.setProperty("quorate.peers", Cluster.peers(nodes.addresses()));
        properties.setProperty("quorate.support", "1s");
        return properties;
    }

    // Without the secret it is not heard, and says why. With the secret it takes part, and nobody loses anything by
    // that.
    @Test
    void aNodeTakesPartAsSoonAsItHasTheSecret(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), "correct horse battery staple\n");
        Map<String, String> environment = Map.of("QUORATE_SECRET_FILE", file.toString());
        try (OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3")) {
            Properties properties = properties(nodes);
            for (String id : List.of("n1", "n2")) {
                nodes.start(id, ElectionClient.builder().from(properties).from(environment));
            }
            ElectionClient stranger = nodes.start("n3", ElectionClient.builder().from(properties));
            List<LeaderLatch> latches = List.of(nodes.latch("n1", PATH, "n1"), nodes.latch("n2", PATH, "n2"));
            LeaderLatch outside = nodes.latch("n3", PATH, "n3");
            LeaderLatch leader = nodes.awaitLeader(latches);
            nodes.await("n3 says why", () -> outside.explain()
                    .toString()
                    .contains("carry a MAC and are dropped, this node has no secret"));
            assertThat(outside.hasLeadership()).isFalse();
            stranger.close();
            ElectionClient member =
                    nodes.start("n3", ElectionClient.builder().from(properties).from(environment));
            member.blockUntilConnected();
            assertThat(leader.hasLeadership()).isTrue();
        }
    }
}
