package io.quorate.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.demo.Cluster;
import io.quorate.tandem.Companion;
import io.quorate.tandem.TandemLatch;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.RealTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/migration.md#the-guard, on three real nodes: who has the setting and who has it not take no frame of each other. */
@RealTime
class UnequalSettingTest {

    private static final String PATH = "/app/leader";

    private final Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
    private final List<ElectionClient> clients = new ArrayList<>();

    @TempDir
    private Path directory;

    /** An old side of one process. */
    private static final class Alone implements Companion {
        private volatile boolean isStarted;
        private Runnable changed = () -> {};

        @Override
        public void start() {
            isStarted = true;
            changed.run();
        }

        @Override
        public void close() {
            isStarted = false;
            changed.run();
        }

        @Override
        public boolean hasLeadership() {
            return isStarted;
        }

        @Override
        public void onChange(Runnable wanted) {
            changed = wanted;
        }
    }

    private ElectionClient client(String id, boolean moves) {
        ElectionClient.Builder builder = ElectionClient.builder()
                .nodeId(id)
                .peers(Cluster.peers(addresses))
                .listen(addresses.get(id))
                .transport("tcp")
                .plaintext(true)
                .dataDirectory(directory.resolve(id));
        ElectionClient client = (moves ? builder.migration("tandem") : builder).build();
        clients.add(client);
        client.start();
        return client;
    }

    @AfterEach
    void close() {
        clients.forEach(ElectionClient::close);
    }

    private static LeaderLatch started(LeaderLatch latch) throws Exception {
        latch.start();
        return latch;
    }

    @Test
    void theMajorityLeadsAndTheOtherOneSaysWhyItDoesNot() throws Exception {
        try (CapturedLog log = new CapturedLog()) {
            ElectionClient first = client("n1", true);
            client("n2", true);
            ElectionClient other = client("n3", false);
            LeaderLatch plain = started(new LeaderLatch(other, PATH, "n3"));
            LeaderLatch tandem = started(new TandemLatch(new Alone(), first, PATH, "n1"));
            Deadline.until(tandem::hasLeadership, first);
            Deadline.until(() -> !log.lines("node n3: ", "+tandem' are dropped").isEmpty(), log.text());
            assertThat(plain.hasLeadership()).isFalse();
            assertThat(other.connectionState()).isEmpty();
        }
    }

    @Test
    void aTandemWithoutItsLikeDoesNotLead() throws Exception {
        ElectionClient first = client("n1", true);
        LeaderLatch plain = started(new LeaderLatch(client("n2", false), PATH, "n2"));
        client("n3", false);
        LeaderLatch tandem = started(new TandemLatch(new Alone(), first, PATH, "n1"));
        Deadline.until(plain::hasLeadership, first);
        assertThat(tandem.hasLeadership()).isFalse();
    }

    // docs/migration.md#roll-forward, the end: the data directory stays.
    @Test
    void theSettingIsLeftOutWithTheSameData() throws Exception {
        for (boolean moves : new boolean[] {true, false, true}) {
            List<LeaderLatch> latches = new ArrayList<>();
            for (String id : addresses.keySet()) {
                latches.add(started(new LeaderLatch(client(id, moves), PATH, id)));
            }
            Deadline.until(() -> latches.stream().anyMatch(LeaderLatch::hasLeadership), latches);
            clients.forEach(ElectionClient::close);
            clients.clear();
        }
    }
}
