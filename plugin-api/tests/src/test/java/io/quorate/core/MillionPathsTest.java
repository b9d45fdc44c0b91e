package io.quorate.core;

import org.junit.jupiter.api.Tag;

/** A step is as large with a million paths as with ten thousand. {@code -Dpaths=N} for another number. */
@Tag("many")
class MillionPathsTest extends BoundedSteps {

    MillionPathsTest() {
        super(Integer.getInteger("paths", 1_000_000));
    }
}
