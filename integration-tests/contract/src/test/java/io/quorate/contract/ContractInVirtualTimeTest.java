package io.quorate.contract;

import io.quorate.testkit.Effort;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract holds for Quorate with each algorithm, and after a change of voters, in virtual time. */
@ParameterizedClass(name = "{0}")
@MethodSource("variants")
class ContractInVirtualTimeTest extends ContractGroups {

    static final String AFTER_A_CHANGE = "ballot after a change of voters";

    @Parameter
    String variant;

    /** A sample has an algorithm of each kind: one that counts answers, and one whose messages go round. */
    static Stream<String> variants() {
        return Effort.isWhole()
                ? Stream.of("ballot", AFTER_A_CHANGE, "bully", "lcr", "token-ring", "three-phase")
                : Stream.of(AFTER_A_CHANGE, "token-ring");
    }

    @Override
    Side open(Class<?> group) {
        return variant.equals(AFTER_A_CHANGE) ? VirtualSide.afterAChange("ballot") : new VirtualSide(variant);
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
