package io.quorate.contract;

import io.quorate.testkit.RealTime;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The contract holds for Curator: so it is what Curator does. */
@RealTime
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = PerGroup.Locks.class)
class ContractOnCuratorTest extends ContractGroups {

    private static final PerGroup<ZooKeeperServer> SERVERS = new PerGroup<>(ZooKeeperServer::new);

    @AfterAll
    static void closeServers() throws IOException {
        SERVERS.close();
    }

    @Override
    Side open(Class<?> group) {
        return new CuratorSide(SERVERS.of(group));
    }

    @Nested
    class BlockedCallback extends BlockedCallbackContract {
        @Override
        Side open() {
            return ContractOnCuratorTest.this.open(getClass());
        }
    }

    @Nested
    class OutageView extends OutageViewContract {
        @Override
        Side open() {
            return ContractOnCuratorTest.this.open(getClass());
        }
    }

    @Nested
    class SessionTimeout extends SessionTimeoutContract {
        @Override
        Side open() {
            return ContractOnCuratorTest.this.open(getClass());
        }
    }
}
