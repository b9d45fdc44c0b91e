package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.testkit.RealTime;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An algorithm from outside, found by its name, elects through the latch over real sockets. */
@RealTime
class SixthAlgorithmTest {

    private static final String PATH = "/sixth/leader";

    @Test
    void algorithmFromOutsideIsFoundByItsNameAndElects() throws Exception {
        try (OneJvm nodes = OneJvm.threeNodes("roll-call")) {
            List<LeaderLatch> latches = nodes.latchesOn(PATH);
            LeaderLatch first = nodes.awaitLeader(latches);
            long token = first.fencingToken();
            OneJvm.close(first);
            LeaderLatch second = nodes.awaitLeader(latches);
            assertThat(second).isNotSameAs(first);
            assertThat(second.fencingToken()).isGreaterThan(token);
        }
    }

    @Test
    void unknownNameListsAllThatAreThere() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElectionClient.builder()
                        .nodeId("n1")
                        .peers("n1=127.0.0.1:7400")
                        .algorithm("paxos")
                        .build())
                .withMessageContaining("paxos")
                .withMessageContaining("roll-call")
                .withMessageContaining("ballot")
                .withMessageContaining("three-phase");
    }
}
