package io.quorate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ConnectionLossException;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;

/**
 * What is seen during an outage: Curator asks the servers each time and fails, Quorate answers what it knows. After a
 * session it knows nobody who leads.
 */
abstract class OutageViewContract extends Contract {

    @Test
    void afterASessionOfOutageContendersAreRememberedAndNoneIsKnownToLead() throws Exception {
        leading(connected(), "leader");
        Client client = connected();
        Latch view = side.latch(client, path);
        side.eventually("the leader is seen", () -> leader(view).getId().equals("leader"));
        side.cut(client);
        side.pass(side.session());
        if (side.isCurator()) {
            assertThatThrownBy(view::getLeader).isInstanceOf(KeeperException.class);
        } else {
            side.eventually("no leader is known", () -> !leader(view).isLeader());
            assertThat(leader(view).getId()).isEmpty();
            assertThat(ids(view)).contains("leader");
        }
    }

    @Test
    void duringAnOutageAnUnknownPathIsAConnectionLoss() throws Exception {
        Client client = connected();
        Latch latch = side.latch(client, path);
        side.cut(client);
        Class<? extends Exception> expected = side.isCurator() ? KeeperException.class : ConnectionLossException.class;
        assertThatThrownBy(latch::getLeader).isInstanceOf(expected);
    }
}
