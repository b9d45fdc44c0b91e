package io.quorate.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract holds for Curator: so it is what Curator does. */
class ContractOnCuratorTest {

    private static ZooKeeperServer server;

    @BeforeAll
    static void startServer() {
        server = new ZooKeeperServer();
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @Nested
    class LifeCycle extends LifeCycleContract {
        @Override
        Side open() {
            return new CuratorSide(server);
        }
    }

    @Nested
    class Close extends CloseContract {
        @Override
        Side open() {
            return new CuratorSide(server);
        }
    }

    @Nested
    class Await extends AwaitContract {
        @Override
        Side open() {
            return new CuratorSide(server);
        }
    }

    @Nested
    class Listener extends ListenerContract {
        @Override
        Side open() {
            return new CuratorSide(server);
        }
    }

    @Nested
    class View extends ViewContract {
        @Override
        Side open() {
            return new CuratorSide(server);
        }
    }

    @Nested
    class Connection extends ConnectionContract {
        @Override
        Side open() {
            return new CuratorSide(server);
        }
    }

    @Nested
    class Fault extends FaultContract {
        @Override
        Side open() {
            return new CuratorSide(server);
        }
    }

    @Nested
    class Selector extends SelectorContract {
        @Override
        Side open() {
            return new CuratorSide(server);
        }
    }

    @Nested
    class KnownDefects extends KnownDefectsContract {
        @Override
        Side open() {
            return new CuratorSide(server);
        }
    }

    @Nested
    class SelectorDefects extends SelectorDefectsContract {
        @Override
        Side open() {
            return new CuratorSide(server);
        }
    }

    @Nested
    class BlockedCallback extends BlockedCallbackContract {
        @Override
        Side open() {
            return new CuratorSide(server);
        }
    }

    @Nested
    @Tag("curator-slow")
    class OutageView extends OutageViewContract {
        @Override
        Side open() {
            return new CuratorSide(server);
        }
    }

    @Nested
    @Tag("curator-slow")
    class SessionTimeout extends SessionTimeoutContract {
        @Override
        Side open() {
            return new CuratorSide(server);
        }
    }
}
