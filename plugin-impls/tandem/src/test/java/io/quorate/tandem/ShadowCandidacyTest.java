package io.quorate.tandem;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.Engine;
import io.quorate.engine.Tenure;
import io.quorate.testkit.simulation.FakeEngine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShadowCandidacyTest {

    private final List<Tenure> granted = new ArrayList<>();
    private final List<Tenure> ended = new ArrayList<>();
    private final Engine.ContenderListener listener = new Engine.ContenderListener() {
        @Override
        public void granted(Tenure tenure) {
            granted.add(tenure);
        }

        @Override
        public void ended(Tenure tenure, String reason) {
            ended.add(tenure);
        }
    };

    // A thread that saw the loss may report it late, when the next time on the path has begun.
    @Test
    void theEndOfAnEarlierTenureIsNotItsOwn() {
        FakeEngine engine = new FakeEngine();
        new ShadowCandidacy(engine, "/app/leader", listener);
        ShadowCandidacy next = new ShadowCandidacy(engine, "/app/leader", listener);
        next.tenureEnded(granted.get(0));
        assertThat(ended).isEmpty();
        next.tenureEnded(granted.get(1));
        next.tenureEnded(granted.get(1));
        assertThat(ended).containsExactly(granted.get(1));
        next.rejoin();
        next.tenureEnded(granted.get(2));
        assertThat(ended).containsExactly(granted.get(1), granted.get(2));
    }
}
