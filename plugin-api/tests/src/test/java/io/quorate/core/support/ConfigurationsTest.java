package io.quorate.core.support;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.message.SupportMessage.Configuration;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.StepContext;
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
    void whatMustBeEqualIsSaidAlthoughWhatShouldBeWasSaidJustNow() {
        long support = context.settings().lease().support();
        String algorithm = context.algorithm().name();
        assertThat(said(support, algorithm)).isEmpty();
        assertThat(said(support, "another"))
                .singleElement()
                .asString()
                .contains("leadership is exclusive all the same");
        assertThat(said(support, "another")).isEmpty();
        assertThat(said(2 * support, "another")).singleElement().asString().contains("do not support each other");
        assertThat(said(2 * support, "another")).isEmpty();
    }
}
