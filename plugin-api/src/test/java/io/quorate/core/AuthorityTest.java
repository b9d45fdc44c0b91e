package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.NodeMessage.Handover;
import io.quorate.spi.NodeId;
import io.quorate.testkit.HighestUp;
import io.quorate.testkit.VirtualCluster;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Frames that nobody should believe: n1 leads, n2 and n3 wait, and somebody lies. */
class AuthorityTest {

    private static final String PATH = "/app/leader";
    private static final NodeId STRANGER = new NodeId("stranger");

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 11, new HighestUp());
    private int second;

    @BeforeEach
    void n1Leads() {
        cluster.advance(1500);
        cluster.contend(N1, PATH);
        cluster.await("n1 leads", 1000, () -> cluster.leaders(PATH).contains(N1));
        second = cluster.contend(N2, PATH);
        cluster.contend(N3, PATH);
        cluster.advance(1000);
    }

    // The watchdog of the cluster fails the test at the first instant at which two lead.
    @Test
    void handoverThatTheLeaderDidNotSendMakesNoLeader() {
        for (NodeId liar : List.of(STRANGER, N3, N1)) {
            for (long claim = 0; claim < 6; claim++) {
                cluster.inject(liar, 1_000, N2, new Handover(PATH, second, 5, claim));
                cluster.advance(300);
                assertThat(cluster.leaders(PATH)).containsExactly(N1);
            }
        }
        cluster.advance(3000);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
        assertThat(cluster.token(PATH)).isEqualTo(1);
    }
}
