package io.quorate.contract;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract holds for Quorate with each algorithm, in virtual time. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ballot", "bully", "lcr", "token-ring", "three-phase"})
class ContractInVirtualTimeTest {

    @Parameter
    String algorithm;

    @Nested
    class LifeCycle extends LifeCycleContract {
        @Override
        Side open() {
            return new VirtualSide(algorithm);
        }
    }

    @Nested
    class Close extends CloseContract {
        @Override
        Side open() {
            return new VirtualSide(algorithm);
        }
    }

    @Nested
    class Await extends AwaitContract {
        @Override
        Side open() {
            return new VirtualSide(algorithm);
        }
    }

    @Nested
    class Listener extends ListenerContract {
        @Override
        Side open() {
            return new VirtualSide(algorithm);
        }
    }

    @Nested
    class View extends ViewContract {
        @Override
        Side open() {
            return new VirtualSide(algorithm);
        }
    }

    @Nested
    class Connection extends ConnectionContract {
        @Override
        Side open() {
            return new VirtualSide(algorithm);
        }
    }

    @Nested
    class Fault extends FaultContract {
        @Override
        Side open() {
            return new VirtualSide(algorithm);
        }
    }

    @Nested
    class Selector extends SelectorContract {
        @Override
        Side open() {
            return new VirtualSide(algorithm);
        }
    }

    @Nested
    class KnownDefects extends KnownDefectsContract {
        @Override
        Side open() {
            return new VirtualSide(algorithm);
        }
    }

    @Nested
    class SelectorDefects extends SelectorDefectsContract {
        @Override
        Side open() {
            return new VirtualSide(algorithm);
        }
    }

    @Nested
    class OutageView extends OutageViewContract {
        @Override
        Side open() {
            return new VirtualSide(algorithm);
        }
    }

    @Nested
    class SessionTimeout extends SessionTimeoutContract {
        @Override
        Side open() {
            return new VirtualSide(algorithm);
        }
    }
}
