package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.Engine;
import io.quorate.engine.Tenure;
import io.quorate.testkit.RealTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A latch is closed by another thread while its client closes, which takes several turns where there are many. */
@RealTime
class WithdrawWhileClosingTest extends WithDrivers {

    @Test
    void withdrawalDuringACloseIsNotifiedAndHarmsNothing() throws IOException {
        ElectionDriver driver = alone();
        int count = 300;
        AtomicInteger granted = new AtomicInteger();
        List<Engine.Candidacy> candidacies = new CopyOnWriteArrayList<>();
        List<List<String>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int n = i;
            List<String> own = new CopyOnWriteArrayList<>();
            calls.add(own);
            candidacies.add(driver.contend("/p/" + i, "p", new Engine.ContenderListener() {
                @Override
                public void granted(Tenure tenure) {
                    own.add("granted");
                    granted.incrementAndGet();
                }

                @Override
                public void ended(Tenure tenure, String reason) {
                    own.add("ended: " + reason);
                    if (n == 0) {
                        // as another thread that closes its latch at this moment
                        candidacies.get(count - 1).leave();
                    }
                }
            }));
        }
        drivers.await("all lead", () -> granted.get() == count);
        driver.close();
        assertThat(driver.failure()).isEmpty();
        assertThat(calls.get(count - 1)).containsExactly("granted", "ended: its client was closed");
        assertThat(calls.get(count - 2)).containsExactly("granted", "ended: its client was closed");
    }
}
