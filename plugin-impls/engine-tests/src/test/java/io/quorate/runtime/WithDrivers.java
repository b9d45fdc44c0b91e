package io.quorate.runtime;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;

/**
 * A test with running drivers: real threads and real time, in one JVM. A lease of half a second ends on a busy machine, so
 * a test that claims that one lasts, or counts what a contender is told, is one of the suite {@code real}.
 */
abstract class WithDrivers {

    /** Three voters, of which none was started. */
    Drivers drivers = new Drivers(3);

    @AfterEach
    void closeAll() {
        drivers.close();
    }

    /** A cluster of one voter instead, which needs nobody else. */
    ElectionDriver alone() throws IOException {
        drivers = new Drivers(1);
        drivers.startAll();
        return drivers.get(1);
    }
}
