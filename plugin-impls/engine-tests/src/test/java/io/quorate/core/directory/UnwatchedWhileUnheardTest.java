package io.quorate.core.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.step.NodeEvent;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node stops watching while it does not hear a voter that hears it: the voter is told when it is heard again. */
class UnwatchedWhileUnheardTest {

    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final String PATH = "/app/leader";

    private List<String> toldAfter(boolean hasContender) {
        VirtualCluster cluster = VirtualCluster.ofVoters(3, 5, new HighestUp());
        cluster.advance(2_000);
        cluster.step(N1, new NodeEvent.WatchPath(PATH, true));
        cluster.advance(1_000);
        cluster.drop(f -> f.from().equals(N3) && f.to().equals(N1));
        cluster.advance(2_000);
        int number = 0;
        if (hasContender) {
            number = cluster.contend(N1, PATH);
            cluster.await("it leads", 3_000, () -> cluster.leaders(PATH).equals(List.of(N1)));
            cluster.step(
                    N1,
                    new NodeEvent.TenureSeenEnded(
                            number, cluster.tenure(N1, number).orElseThrow()));
        }
        cluster.step(N1, new NodeEvent.WatchPath(PATH, false));
        if (hasContender) {
            cluster.withdraw(N1, number);
        }
        cluster.heal();
        cluster.advance(60_000);
        List<String> told = new ArrayList<>();
        cluster.network(f -> {
            if (f.from().equals(N3) && f.to().equals(N1) && f.message() instanceof Listings listings) {
                told.add(listings.toString());
            }
        });
        cluster.contend(N2, PATH);
        cluster.advance(2_000);
        return told;
    }

    @Test
    void onlyWatchedPath() {
        assertThat(toldAfter(false)).isEmpty();
    }

    @Test
    void pathWithAContenderThatIsOut() {
        assertThat(toldAfter(true)).isEmpty();
    }
}
