package io.quorate.core.election;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Trace;
import io.quorate.core.support.NodeLiveness;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import io.quorate.spi.NodeId;
import io.quorate.spi.Options;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.HighestUp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The elections of a node that does not vote, which hears from voters who is up. */
class ElectionsTest {

    private static final NodeId SELF = new NodeId("o1");
    private static final long ID = 1;

    private final List<String> told = new ArrayList<>();
    private Elections elections;
    private NodeLiveness liveness;
    private StepContext context;
    private Timing usual = new Timing(10);

    private void begin(ElectionAlgorithm algorithm) {
        context = new StepContext(
                new NodeSettings(
                        "test",
                        SELF,
                        Contexts.VOTERS,
                        new LeaseTiming(100, 1100, 10),
                        new Timing(10),
                        RankOrder.JOIN_ORDER,
                        0,
                        false),
                algorithm,
                (min, max) -> min,
                Trace.NONE,
                1);
        liveness = new NodeLiveness(context, node -> elections.onUpChanged(node));
        elections = new Elections(context, liveness, () -> usual);
    }

    private void areUp(NodeId... nodes) {
        for (int voter = 0; voter < Contexts.VOTERS.size(); voter++) {
            liveness.onAck(voter, 1, 1, Optional.of(List.of(nodes)));
        }
    }

    private ElectionAttempt.Listener listener(String name) {
        return new ElectionAttempt.Listener() {
            @Override
            public void onNominee() {
                told.add(name + ": nominee " + elections.nominee(ID).orElse(null));
            }

            @Override
            public void onFailure(String reason) {
                told.add(name + ": " + reason);
            }
        };
    }

    @Test
    void electionWhoseNomineeGoesDownBeginsAnew() {
        begin(new HighestUp());
        areUp(N1, N2, N3);
        elections.join(ID, List.of(N1, N2, N3, SELF), listener("path"));
        assertThat(elections.nominee(ID)).contains(N1);
        areUp(N2, N3);
        assertThat(elections.nominee(ID)).contains(N2);
    }

    @Test
    void pathThatJoinsAnElectionWhoseAlgorithmThrewIsToldSo() {
        begin(new HighestUp() {
            @Override
            public Election create(Membership membership, Timing timing, Options options) {
                throw new IllegalStateException("broken on purpose");
            }
        });
        areUp(N1);
        List<NodeId> ranked = List.of(N1, SELF);
        elections.join(ID, ranked, listener("first"));
        elections.join(ID, ranked, listener("second"));
        assertThat(told).hasSize(2).allMatch(line -> line.contains("broken on purpose"));
        assertThat(told.get(1)).startsWith("second: ");
    }

    // With time-outs that are shorter than messages take, it would begin again and again, and make the voters busier.
    @Test
    void electionsUseTheDelayThatIsUsualWhenTheyBegin() {
        List<Timing> timings = new ArrayList<>();
        begin(new HighestUp() {
            @Override
            public Election create(Membership membership, Timing timing, Options options) {
                timings.add(timing);
                return super.create(membership, timing, options);
            }
        });
        context.setNow(0);
        elections.join(1, List.of(SELF, N1), listener("quick"));
        usual = new Timing(300);
        elections.join(2, List.of(SELF, N1), listener("slow"));
        assertThat(timings).containsExactly(new Timing(10), new Timing(300));
    }
}
