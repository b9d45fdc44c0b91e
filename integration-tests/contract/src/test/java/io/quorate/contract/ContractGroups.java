package io.quorate.contract;

import org.junit.jupiter.api.Nested;

/** The groups of the contract that run on each side in every build. A subclass says on which, and adds the others. */
abstract class ContractGroups {

    /** A new side, for one test of this group. */
    abstract Side open(Class<?> group);

    @Nested
    class LifeCycle extends LifeCycleContract {
        @Override
        Side open() {
            return ContractGroups.this.open(getClass());
        }
    }

    @Nested
    class Close extends CloseContract {
        @Override
        Side open() {
            return ContractGroups.this.open(getClass());
        }
    }

    @Nested
    class Await extends AwaitContract {
        @Override
        Side open() {
            return ContractGroups.this.open(getClass());
        }
    }

    @Nested
    class Listener extends ListenerContract {
        @Override
        Side open() {
            return ContractGroups.this.open(getClass());
        }
    }

    @Nested
    class View extends ViewContract {
        @Override
        Side open() {
            return ContractGroups.this.open(getClass());
        }
    }

    @Nested
    class Connection extends ConnectionContract {
        @Override
        Side open() {
            return ContractGroups.this.open(getClass());
        }
    }

    @Nested
    class Fault extends FaultContract {
        @Override
        Side open() {
            return ContractGroups.this.open(getClass());
        }
    }

    @Nested
    class Selector extends SelectorContract {
        @Override
        Side open() {
            return ContractGroups.this.open(getClass());
        }
    }

    @Nested
    class KnownDefects extends KnownDefectsContract {
        @Override
        Side open() {
            return ContractGroups.this.open(getClass());
        }
    }

    @Nested
    class SelectorDefects extends SelectorDefectsContract {
        @Override
        Side open() {
            return ContractGroups.this.open(getClass());
        }
    }
}
