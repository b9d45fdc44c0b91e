package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionConfig;
import io.quorate.Profile;
import io.quorate.core.settings.NodeSettings;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The settings of a client reach the core. */
class DriverProviderTest {

    private static ElectionConfig.Builder three() {
        return ElectionConfig.builder().nodeId("n1").peers("n1=h1:7001, n2=h2:7001,n3=[::1]:7001");
    }

    @ParameterizedTest
    @EnumSource
    void everyProfileKeepsTheRules(Profile profile) {
        NodeSettings settings =
                DriverProvider.nodeSettings(three().profile(profile).build());
        assertThat(settings.lease().heartbeat()).isEqualTo(profile.heartbeat().toNanos());
        assertThat(settings.lease().support())
                .isEqualTo(profile.supportDuration().toNanos());
        assertThat(settings.timing().delta()).isEqualTo(profile.delta().toNanos());
    }

    @Test
    void settingsReachTheCore() {
        ElectionConfig config = three().clusterId("c")
                .heartbeat(Duration.ofMillis(10))
                .voters("n1", "n2")
                .supportDuration(Duration.ofMillis(100))
                .delta(Duration.ofMillis(3))
                .driftPercent(5)
                .rankOrder(RankOrder.PRIORITY)
                .priority(4)
                .preempt(true)
                .dataDirectory(Path.of("d"))
                .build();
        NodeSettings settings = DriverProvider.nodeSettings(config);
        assertThat(settings.clusterId()).isEqualTo("c");
        assertThat(settings.self()).isEqualTo(new NodeId("n1"));
        assertThat(settings.voters()).containsExactly(new NodeId("n1"), new NodeId("n2"));
        assertThat(settings.lease().driftPercent()).isEqualTo(5);
        assertThat(settings.rankOrder()).isEqualTo(RankOrder.PRIORITY);
        assertThat(settings.priority()).isEqualTo(4);
        assertThat(settings.preempt()).isTrue();
        assertThat(config.dataDirectory()).contains(Path.of("d"));
    }

    @Test
    void aNodeThatJoinsAsksItsPeers() {
        ElectionConfig guest = ElectionConfig.builder()
                .nodeId("guest")
                .peers("n1=h1:7001")
                .joins(true)
                .build();
        assertThat(guest.joins()).isTrue();
        NodeSettings settings = DriverProvider.nodeSettings(guest);
        assertThat(settings.joins()).isTrue();
        assertThat(settings.isVoter()).isFalse();
        assertThat(settings.voters()).containsExactly(new NodeId("n1"));
        assertThat(settings.addresses()).containsOnlyKeys(new NodeId("n1"));
        // Itself it need not ask; and of many peers it asks those that it is told to.
        assertThat(three().joins(true).build().voters()).containsExactly("n2", "n3");
        assertThat(three().joins(true).voters("n3").build().voters()).containsExactly("n3");
        assertThat(three().build().joins()).isFalse();
    }
}
