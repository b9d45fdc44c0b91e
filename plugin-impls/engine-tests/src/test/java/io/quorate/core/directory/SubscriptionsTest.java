package io.quorate.core.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.simulation.Seeds;
import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SubscriptionsTest {

    private static final int SEEDS = 50;
    private static final int STEPS = 3_000;
    private static final int PAGES = 300;

    private final Set<String> subscribed = new LinkedHashSet<>();
    private final Subscriptions<String> subscriptions = new Subscriptions<>(subscribed::contains);

    private void toggle(String page) {
        if (subscribed.add(page)) {
            subscriptions.add(page);
        } else {
            subscribed.remove(page);
            subscriptions.leave();
        }
    }

    @Test
    void behaveAsASetInTheOrderOfTheLastSubscription() {
        Seeds.each(SEEDS, 1, seed -> {
            Random random = new Random(seed);
            SubscriptionsTest fresh = new SubscriptionsTest();
            for (int step = 0; step < STEPS; step++) {
                fresh.toggle("page " + random.nextInt(PAGES));
                if (step % 100 == 0) {
                    assertThat(fresh.subscriptions.pages()).containsExactlyElementsOf(fresh.subscribed);
                }
            }
        });
    }

    @Test
    void roomIsGivenBack() {
        for (int step = 0; step < 2 * STEPS; step++) {
            toggle("page " + step / 2);
        }
        assertThat(subscribed).isEmpty();
        assertThat(subscriptions.size()).isLessThan(200);
    }
}
