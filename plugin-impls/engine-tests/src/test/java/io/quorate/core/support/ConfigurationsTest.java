package io.quorate.core.support;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.message.SupportMessage.Configuration;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.StepContext;
import io.quorate.spi.RankOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** ADR-0011: what differs is said once per node and minute. */
class ConfigurationsTest {

    private final StepContext context = Contexts.of(N1);
    private final Configurations configurations = new Configurations(context, true);

    private List<String> said(long support, String algorithm) {
        NodeSettings own = context.settings();
        configurations.onConfiguration(
                N2,
                new Configuration(
                        own.clusterId(),
                        own.voters(),
                        support,
                        own.lease().driftPercent(),
                        true,
                        algorithm,
                        own.rankOrder()));
        return context.takeEffects().stream()
                .filter(NodeEffect.Note.class::isInstance)
                .map(effect -> ((NodeEffect.Note) effect).text())
                .toList();
    }

    // In a rolling restart both may come within a minute; what must be equal costs a voter.
    @Test
    void requiredEqualityIsReportedRightAfterARecommendedOne() {
        long support = context.settings().lease().support();
        String algorithm = context.algorithm().name();
        assertThat(said(support, algorithm)).isEmpty();
        assertThat(said(support, "another")).singleElement().asString().contains("leadership is exclusive anyway");
        assertThat(said(support, "another")).isEmpty();
        assertThat(said(2 * support, "another")).singleElement().asString().contains("do not support each other");
        assertThat(said(2 * support, "another")).isEmpty();
    }

    @Test
    void eachDifferenceIsSaidWithBothValuesAndAnsweredOnce() {
        NodeSettings own = context.settings();
        Configuration mine = new Configuration(
                "test", Contexts.VOTERS, 1100, 10, true, context.algorithm().name(), own.rankOrder());
        Configuration other = new Configuration(
                "west", List.of(N1), 5_000_000, 20, false, context.algorithm().name(), RankOrder.NODE_ID);
        configurations.onConfiguration(N2, other);
        String hard = "cluster id test here and west at n2, voters [n1, n2, n3] here and [n1] at n2, support time"
                + " 1100 ns here and 5 ms at n2, clock drift 10 % here and 20 % at n2, data directory of a voter"
                + " present here and none at n2; must be equal on all nodes";
        assertThat(context.takeEffects())
                .containsExactly(
                        new NodeEffect.Note(
                                true,
                                "node n2 and this one are configured differently, and do not support each other: "
                                        + hard),
                        new NodeEffect.Send(N2, mine));
        configurations.onConfiguration(N2, other);
        assertThat(context.takeEffects()).isEmpty();
        assertThat(configurations.describe()).contains("n2 is configured differently: " + hard);
        configurations.onConfiguration(
                N2, new Configuration("test", Contexts.VOTERS, 1100, 10, true, mine.algorithm(), RankOrder.NODE_ID));
        assertThat(configurations.describe())
                .contains("n2 is configured differently: rank order JOIN_ORDER here and NODE_ID at n2");
        configurations.onConfiguration(N2, mine);
        assertThat(configurations.describe()).as("it was mended").isEmpty();
    }

    @Test
    void framesThatNobodyCanTakeAreSaidAndForgottenAfterTwoMinutes() {
        context.setNow(1);
        configurations.onForeignFrames(new NodeEvent.ForeignFrames("frames", N2, "n2 speaks another version"));
        assertThat(context.takeEffects()).containsExactly(new NodeEffect.Note(true, "n2 speaks another version"));
        context.setNow(120_000_000_001L);
        assertThat(configurations.describe()).contains("n2 speaks another version");
        context.setNow(120_000_000_002L);
        assertThat(configurations.describe()).isEmpty();
    }
}
