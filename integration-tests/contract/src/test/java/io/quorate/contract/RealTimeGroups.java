package io.quorate.contract;

import io.quorate.testkit.RealTime;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** All groups of the contract, on Quorate as it runs in production, with its default algorithm. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = PerGroup.Locks.class)
@RealTime
abstract class RealTimeGroups extends ContractGroups {

    abstract PerGroup<Voters> voters();

    @Override
    Side open(Class<?> group) {
        return new RealTimeSide(voters().of(group));
    }

    @Nested
    class BlockedCallback extends BlockedCallbackContract {
        @Override
        Side open() {
            return RealTimeGroups.this.open(getClass());
        }
    }

    @Nested
    class OutageView extends OutageViewContract {
        @Override
        Side open() {
            return RealTimeGroups.this.open(getClass());
        }
    }

    @Nested
    class Standby extends StandbyContract {
        @Override
        Side open() {
            return RealTimeGroups.this.open(getClass());
        }
    }

    @Nested
    class SessionTimeout extends SessionTimeoutContract {
        @Override
        Side open() {
            return RealTimeGroups.this.open(getClass());
        }
    }
}
