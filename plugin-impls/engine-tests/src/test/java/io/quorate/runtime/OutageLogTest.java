package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.Connection;
import io.quorate.engine.Engine;
import io.quorate.spi.NodeId;
import io.quorate.testkit.CapturedLog;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** One warning in each outage that lasts, and none in another. */
class OutageLogTest {

    private static final long START = Long.MAX_VALUE - OutageLog.PATIENCE / 2;

    private final CapturedLog captured = CapturedLog.atInfo(OutageLog.class);
    private final OutageLog outage = new OutageLog(new NodeId("n1"), LoggerFactory.getLogger(OutageLog.class), START);

    @AfterEach
    void restore() {
        captured.close();
    }

    private List<String> warningsAfter(long nanos) {
        captured.forget();
        List<NodeId> voters = List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));
        outage.turn(new Engine.Support(Connection.LOST, "", voters, voters.subList(0, 1)), START + nanos);
        return captured.lines("WARN");
    }

    @Test
    void aNodeThatReachesNoMajorityAfterItsStartIsToldOfOnce() {
        assertThat(warningsAfter(OutageLog.PATIENCE - 1)).isEmpty();
        assertThat(warningsAfter(OutageLog.PATIENCE))
                .singleElement()
                .asString()
                .contains("node n1: no majority of voters has supported this node for 30 s, so it leads nothing:"
                        + " supported by [n1] of [n1, n2, n3]. Start the voters that do not answer");
        assertThat(warningsAfter(3 * OutageLog.PATIENCE)).isEmpty();
    }

    @Test
    void eachOutageThatLastsIsToldOf() {
        outage.onConnectionChanged(Connection.CONNECTED, START);
        assertThat(warningsAfter(2 * OutageLog.PATIENCE)).isEmpty();
        for (int number = 1; number <= 2; number++) {
            long begun = number * 10 * OutageLog.PATIENCE;
            outage.onConnectionChanged(Connection.SUSPENDED, START + begun - 1);
            outage.onConnectionChanged(Connection.LOST, START + begun);
            assertThat(warningsAfter(begun + OutageLog.PATIENCE - 1)).isEmpty();
            assertThat(warningsAfter(begun + OutageLog.PATIENCE)).hasSize(1);
            outage.onConnectionChanged(Connection.RECONNECTED, START + begun + OutageLog.PATIENCE);
            assertThat(warningsAfter(begun + 3 * OutageLog.PATIENCE)).isEmpty();
        }
    }

    @Test
    void anOutageThatIsOverInTimeIsNotToldOf() {
        outage.onConnectionChanged(Connection.LOST, START);
        outage.onConnectionChanged(Connection.RECONNECTED, START + OutageLog.PATIENCE - 1);
        assertThat(warningsAfter(5 * OutageLog.PATIENCE)).isEmpty();
    }
}
