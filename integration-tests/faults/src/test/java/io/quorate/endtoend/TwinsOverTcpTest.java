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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A second process under the id of voter n2, over sockets, while n1 and n3 hear nothing of each other. Each of them could
 * lead by the vote of another n2.
 */
@RealTime
class TwinsOverTcpTest {

    private static final int PATHS = 50;

    private final OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3");
    private final Links links = new Links();

    @AfterEach
    void close() {
        nodes.close();
        links.close();
        twins.forEach(ElectionClient::close);
    }

    private final List<ElectionClient> twins = new ArrayList<>();
    private final List<LeaderLatch> ofN1 = new ArrayList<>();
    private final List<LeaderLatch> ofN3 = new ArrayList<>();

    private void startThree(Profile profile) {
        nodes.ids()
                .forEach(id -> nodes.start(
                        id,
                        ElectionClient.builder()
                                .profile(profile)
                                .peers(links.peers(id, nodes.addresses()))
                                .transport("tcp")));
        nodes.await("all are supported by all", () -> nodes.ids().stream()
                .allMatch(id -> nodes.client(id).health().supporters().size() == 3));
    }

    /** It listens at another address, which no node knows. */
    private ElectionClient startTwin(Profile profile) {
        Map<String, String> addresses = new TreeMap<>(nodes.addresses());
        addresses.put("n2", "127.0.0.1:" + FreePorts.take());
        ElectionClient twin = ElectionClient.builder()
                .nodeId("n2")
                .algorithm("ballot")
                .profile(profile)
                .peers(addresses)
                .transport("tcp")
                .build();
        twins.add(twin);
        twin.start();
        return twin;
    }

    private void cutN1FromN3() {
        between("n1", "n3").forEach(link -> {
            link.proxy().cut(Way.THERE);
            link.proxy().cut(Way.BACK);
        });
    }

    private List<Links.Link> between(String a, String b) {
        return links.of(a).stream()
                .filter(link -> link.from().equals(b) || link.to().equals(b))
                .toList();
    }

    private void contend() throws Exception {
        for (int i = 0; i < PATHS; i++) {
            ofN1.add(nodes.latch("n1", "/app/" + i, "n1"));
            ofN3.add(nodes.latch("n3", "/app/" + i, "n3"));
        }
    }

    /** On how many paths both were seen to lead at one time, while this went on. */
    private long pathsWithTwoLeaders(long millis) throws InterruptedException {
        boolean[] both = new boolean[PATHS];
        long until = System.nanoTime() + millis * 1_000_000;
        // Justification: the test claims what happens within this time.
        while (System.nanoTime() - until < 0) {
            for (int i = 0; i < PATHS; i++) {
                // The first one is asked again, because it may have stopped in between.
                both[i] |= ofN1.get(i).hasLeadership()
                        && ofN3.get(i).hasLeadership()
                        && ofN1.get(i).hasLeadership();
            }
            // Justification: samples.
            TimeUnit.MILLISECONDS.sleep(1);
        }
        int count = 0;
        for (boolean each : both) {
            count += each ? 1 : 0;
        }
        return count;
    }

    // It is refused by both all the time, and gets in at neither for a moment.
    @Test
    void secondProcessesDoNotGetInWhenConnectionsEnd() throws Exception {
        startThree(Profile.DEFAULT);
        cutN1FromN3();
        ElectionClient twin = startTwin(Profile.DEFAULT);
        TimeUnit.MILLISECONDS.sleep(1500);
        contend();
        for (int i = 0; i < 5; i++) {
            // Shorter than a support time, and long enough for the second process to call meanwhile.
            between("n2", "n3").forEach(link -> link.proxy().sever());
            TimeUnit.MILLISECONDS.sleep(300);
            between("n2", "n3").forEach(link -> link.proxy().heal());
            TimeUnit.MILLISECONDS.sleep(100);
        }
        assertThat(pathsWithTwoLeaders(6000)).isZero();
        nodes.await("the second process has ended", () -> twin.failure().isPresent());
        assertThat(twin.failure()).get().isInstanceOf(DuplicateNodeException.class);
        assertThat(nodes.client("n2").failure()).isEmpty();
    }

    // n3 hears the second process then, and n1 the first one.
    @Test
    void secondProcessesDoNotVoteWhenOnePlaceIsLost() throws Exception {
        startThree(Profile.DEFAULT);
        cutN1FromN3();
        ElectionClient twin = startTwin(Profile.DEFAULT);
        TimeUnit.MILLISECONDS.sleep(500);
        contend();
        between("n2", "n3").forEach(link -> link.proxy().sever());
        assertThat(pathsWithTwoLeaders(8000)).isZero();
        nodes.await("the second process has ended", () -> twin.failure().isPresent());
        between("n2", "n3").forEach(link -> link.proxy().heal());
        nodes.await(
                "the first process is back",
                () -> nodes.client("n3").health().supporters().size() == 2);
        assertThat(nodes.client("n2").failure()).isEmpty();
    }

    // Its former process has said no farewell.
    @ParameterizedTest
    @EnumSource(Profile.class)
    void processesThatStartAgainImmediatelyComeBack(Profile profile) {
        startThree(profile);
        links.of("n2").forEach(link -> {
            link.proxy().cut(Way.THERE);
            link.proxy().cut(Way.BACK);
        });
        ElectionClient second = startTwin(profile);
        nodes.client("n2").close();
        nodes.await(
                "all support it, and it votes",
                () -> second.failure().isPresent()
                        || second.health().supporters().size() == 3);
        assertThat(second.failure()).isEmpty();
    }
}
