package io.quorate.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.RealTime;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.BeforeEach;

/** The tests that ShedLock has for its own providers, on all nodes of a cluster. */
@RealTime
abstract class ShedLockContract extends AbstractExtensibleLockProviderIntegrationTest {

    private final Providers providers;

    ShedLockContract(Providers providers) {
        this.providers = providers;
    }

    @BeforeEach
    void takeFreshPaths() {
        providers.takeFreshPaths();
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return providers;
    }

    @Override
    protected void assertUnlocked(String lockName) {
        Optional<SimpleLock> lock = providers.lock(lockConfig(lockName));
        assertThat(lock).as(lockName).isPresent();
        lock.get().unlock();
    }

    @Override
    protected void assertLocked(String lockName) {
        assertThat(providers.lock(lockConfig(lockName))).as(lockName).isEmpty();
    }
}
