package io.quorate.runtime;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;

/** A test with running drivers: real threads and real time, in one JVM. */
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
