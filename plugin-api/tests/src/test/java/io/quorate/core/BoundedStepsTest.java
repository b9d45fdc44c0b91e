package io.quorate.core;

/** As many paths as a build has time for. */
class BoundedStepsTest extends BoundedSteps {

    BoundedStepsTest() {
        super(10_000, 4);
    }
}
