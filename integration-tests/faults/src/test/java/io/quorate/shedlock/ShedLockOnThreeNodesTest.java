package io.quorate.shedlock;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** ShedLock's tests of a provider, on three nodes. */
class ShedLockOnThreeNodesTest extends ShedLockContract {

    private static final Providers PROVIDERS = new Providers(3);

    ShedLockOnThreeNodesTest() {
        super(PROVIDERS);
    }

    @BeforeAll
    static void connect() throws InterruptedException {
        PROVIDERS.awaitConnected();
    }

    @AfterAll
    static void close() {
        PROVIDERS.close();
    }
}
