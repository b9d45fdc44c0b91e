package io.quorate.contract;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract holds for Quorate with each algorithm, in virtual time. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ballot", "bully", "lcr", "token-ring", "three-phase"})
class ContractInVirtualTimeTest extends ContractGroups {

    @Parameter
    String algorithm;

    @Override
    Side open(Class<?> group) {
        return new VirtualSide(algorithm);
    }

    @Nested
    class OutageView extends OutageViewContract {
        @Override
        Side open() {
            return ContractInVirtualTimeTest.this.open(getClass());
        }
    }

    @Nested
    class Standby extends StandbyContract {
        @Override
        Side open() {
            return ContractInVirtualTimeTest.this.open(getClass());
        }
    }

    @Nested
    class SessionTimeout extends SessionTimeoutContract {
        @Override
        Side open() {
            return ContractInVirtualTimeTest.this.open(getClass());
        }
    }
}
