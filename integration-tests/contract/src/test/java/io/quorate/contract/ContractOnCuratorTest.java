package io.quorate.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract holds for Curator: so it is what Curator does. */
class ContractOnCuratorTest extends ContractGroups {

    private static ZooKeeperServer server;

    @BeforeAll
    static void startServer() {
        server = new ZooKeeperServer();
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @Override
    Side open() {
        return new CuratorSide(server);
    }

    @Nested
    class BlockedCallback extends BlockedCallbackContract {
        @Override
        Side open() {
            return ContractOnCuratorTest.this.open();
        }
    }

    @Nested
    @Tag("curator-slow")
    class OutageView extends OutageViewContract {
        @Override
        Side open() {
            return ContractOnCuratorTest.this.open();
        }
    }

    @Nested
    @Tag("curator-slow")
    class SessionTimeout extends SessionTimeoutContract {
        @Override
        Side open() {
            return ContractOnCuratorTest.this.open();
        }
    }
}
