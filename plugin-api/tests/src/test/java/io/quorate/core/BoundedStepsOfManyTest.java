package io.quorate.core;

import org.junit.jupiter.api.Tag;

/**
 * A step is as large with 100,000 paths, which is what a node may have, as with ten thousand. {@code -Dpaths=N} for
 * another number.
 */
@Tag("many")
class BoundedStepsOfManyTest extends BoundedSteps {

    BoundedStepsOfManyTest() {
        super(Integer.getInteger("paths", 100_000), 4);
    }
}
