package io.quorate.runtime;

import io.quorate.testkit.RepeatedWhenStalled;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test with running drivers: real threads and real time, in one JVM. A lease of half a second ends on a stalled machine. */
@ExtendWith(RepeatedWhenStalled.class)
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
