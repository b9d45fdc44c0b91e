package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.DuplicateNodeException;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.Profile;
import io.quorate.link.LinkProxy.Way;
import io.quorate.link.Links;
import io.quorate.testkit.FreePorts;
import io.quorate.testkit.RealTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A second process under the id of voter n2, over the event bus. It reaches n1 and n3, and so does the first one; n3
 * finds n2 where the second process listens, as after a change of an address. n1 and n3 do not reach each other.
 */
@RealTime
class TwinsOverEventBusTest {

    private static final String PATH = "/app/leader";
    private static final long SAMPLED_NANOS = 30_000_000_000L;

    private final OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3");
    private final Links links = new Links();
    private ElectionClient twin;

    @AfterEach
    void close() {
        nodes.close();
        if (twin != null) {
            twin.close();
        }
        links.close();
    }

    private static ElectionClient.Builder described(Profile profile) {
        return ElectionClient.builder().profile(profile).transport("vertx");
    }

    @Test
    void secondProcessesDoNotVoteBesideTheFirst() throws Exception {
        Map<String, String> ofTwin = new TreeMap<>(nodes.addresses());
        ofTwin.put("n2", "127.0.0.1:" + FreePorts.take());
        Map<String, String> ofN1 = new TreeMap<>(nodes.addresses());
        ofN1.put("n3", links.address("n1", "n3", nodes.addresses().get("n3")));
        Map<String, String> ofN3 = new TreeMap<>(ofTwin);
        ofN3.put("n1", links.address("n3", "n1", nodes.addresses().get("n1")));
        nodes.start("n1", described(Profile.DEFAULT).peers(ofN1));
        nodes.start("n2", described(Profile.DEFAULT).peers(nodes.addresses()));
        nodes.start("n3", described(Profile.DEFAULT).peers(ofN3));
        nodes.await(
                "all support n1", () -> nodes.client("n1").health().supporters().size() == 3);
        links.of("n1").forEach(link -> {
            link.proxy().cut(Way.THERE);
            link.proxy().cut(Way.BACK);
        });
        LeaderLatch first = nodes.latch("n1", PATH, "n1");
        LeaderLatch second = nodes.latch("n3", PATH, "n3");
        twin = described(Profile.DEFAULT)
                .peers(ofTwin)
                .nodeId("n2")
                .algorithm("ballot")
                .build();
        twin.start();
        long both = 0;
        long until = System.nanoTime() + SAMPLED_NANOS;
        // Justification: without the rule nothing ends, and two lead.
        while (twin.failure().isEmpty() && System.nanoTime() - until < 0) {
            both += first.hasLeadership() && second.hasLeadership() && first.hasLeadership() ? 1 : 0;
            // Justification: samples.
            TimeUnit.MILLISECONDS.sleep(1);
        }
        assertThat(both).as("samples with two leaders").isZero();
        nodes.await("the second process has ended", () -> twin.failure().isPresent());
        assertThat(twin.failure()).get().isInstanceOf(DuplicateNodeException.class);
        nodes.await("n1 leads by the vote of the first process", first::hasLeadership);
        assertThat(nodes.client("n2").failure()).isEmpty();
    }

    // Its former process could not say farewell, so it is refused at first.
    @ParameterizedTest
    @EnumSource(Profile.class)
    void processesThatStartAgainImmediatelyComeBack(Profile profile) {
        nodes.ids().forEach(id -> nodes.start(id, described(profile).peers(links.peers(id, nodes.addresses()))));
        nodes.await("all are supported by all", () -> nodes.ids().stream()
                .allMatch(id -> nodes.client(id).health().supporters().size() == 3));
        links.of("n2").forEach(link -> {
            link.proxy().cut(Way.THERE);
            link.proxy().cut(Way.BACK);
        });
        nodes.client("n2").close();
        links.of("n2").stream().filter(link -> link.to().equals("n2")).forEach(link -> link.proxy()
                .heal());
        twin = described(profile)
                .peers(nodes.addresses())
                .nodeId("n2")
                .algorithm("ballot")
                .build();
        twin.start();
        nodes.await(
                "all support it, and it votes",
                () -> twin.failure().isPresent() || twin.health().supporters().size() == 3);
        assertThat(twin.failure()).isEmpty();
    }
}
