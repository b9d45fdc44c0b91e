package io.quorate.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.Participant;
import io.quorate.testkit.FreePorts;
import io.quorate.testkit.RealTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * An application that was written for Curator has a session that is longer than its connection time-out, and asks who
 * leads as soon as it has started. Its voters are silent for one support time then.
 */
@RealTime
class FirstQuestionTest {

    @Test
    void theFirstQuestionOutlastsTheQuarantineOfTheVoters() throws Exception {
        Map<String, String> peers = new TreeMap<>();
        List.of("n1", "n2", "n3").forEach(node -> peers.put(node, node + "=127.0.0.1:" + FreePorts.take()));
        List<ElectionClient> clients = new ArrayList<>();
        try {
            List<CompletableFuture<Participant>> answers = new ArrayList<>();
            for (String node : peers.keySet()) {
                ElectionClient client = ElectionClient.builder()
                        .nodeId(node)
                        .peers(peers.values().stream().collect(Collectors.joining(",")))
                        .transport("tcp")
                        .supportDuration(Duration.ofSeconds(5))
                        .connectionTimeout(Duration.ofMillis(1_500))
                        .build();
                clients.add(client);
                client.start();
                LeaderLatch latch = new LeaderLatch(client, "/app/leader", node);
                latch.start();
                answers.add(latch.getLeaderAsync().toCompletableFuture());
            }
            for (CompletableFuture<Participant> answer : answers) {
                assertThat(answer.get(10, TimeUnit.MINUTES)).isNotNull();
            }
        } finally {
            clients.forEach(ElectionClient::close);
        }
    }
}
