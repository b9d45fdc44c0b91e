package io.quorate.core;

import io.quorate.testkit.Effort;

/** As many paths as a build has time for. */
class BoundedStepsTest extends BoundedSteps {

    BoundedStepsTest() {
        super(Effort.of(10_000, 3_000), 4);
    }
}
