package io.quorate.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract holds for Quorate, as it runs in production, with its default algorithm. */
class ContractInRealTimeTest extends ContractGroups {

    private static Voters voters;

    @BeforeAll
    static void startVoters() {
        voters = new Voters();
    }

    @AfterAll
    static void closeVoters() {
        voters.close();
    }

    @Override
    Side open() {
        return new RealTimeSide(voters);
    }

    @Nested
    class BlockedCallback extends BlockedCallbackContract {
        @Override
        Side open() {
            return ContractInRealTimeTest.this.open();
        }
    }

    @Nested
    class OutageView extends OutageViewContract {
        @Override
        Side open() {
            return ContractInRealTimeTest.this.open();
        }
    }

    @Nested
    class SessionTimeout extends SessionTimeoutContract {
        @Override
        Side open() {
            return ContractInRealTimeTest.this.open();
        }
    }
}
