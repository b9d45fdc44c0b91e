package io.quorate.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract holds for Quorate, as it runs in production, with its default algorithm. */
class ContractInRealTimeTest {

    private static Voters voters;

    @BeforeAll
    static void startVoters() {
        voters = new Voters();
    }

    @AfterAll
    static void closeVoters() {
        voters.close();
    }

    @Nested
    class LifeCycle extends LifeCycleContract {
        @Override
        Side open() {
            return new RealTimeSide(voters);
        }
    }

    @Nested
    class Close extends CloseContract {
        @Override
        Side open() {
            return new RealTimeSide(voters);
        }
    }

    @Nested
    class Await extends AwaitContract {
        @Override
        Side open() {
            return new RealTimeSide(voters);
        }
    }

    @Nested
    class Listener extends ListenerContract {
        @Override
        Side open() {
            return new RealTimeSide(voters);
        }
    }

    @Nested
    class View extends ViewContract {
        @Override
        Side open() {
            return new RealTimeSide(voters);
        }
    }

    @Nested
    class Connection extends ConnectionContract {
        @Override
        Side open() {
            return new RealTimeSide(voters);
        }
    }

    @Nested
    class Fault extends FaultContract {
        @Override
        Side open() {
            return new RealTimeSide(voters);
        }
    }

    @Nested
    class Selector extends SelectorContract {
        @Override
        Side open() {
            return new RealTimeSide(voters);
        }
    }

    @Nested
    class KnownDefects extends KnownDefectsContract {
        @Override
        Side open() {
            return new RealTimeSide(voters);
        }
    }

    @Nested
    class SelectorDefects extends SelectorDefectsContract {
        @Override
        Side open() {
            return new RealTimeSide(voters);
        }
    }

    @Nested
    class BlockedCallback extends BlockedCallbackContract {
        @Override
        Side open() {
            return new RealTimeSide(voters);
        }
    }

    @Nested
    class OutageView extends OutageViewContract {
        @Override
        Side open() {
            return new RealTimeSide(voters);
        }
    }

    @Nested
    class SessionTimeout extends SessionTimeoutContract {
        @Override
        Side open() {
            return new RealTimeSide(voters);
        }
    }
}
