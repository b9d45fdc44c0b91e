package io.quorate.callbacks;

import static io.quorate.complaints.Contenders.PATH;
import static io.quorate.complaints.Contenders.SUPPORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatch;
import io.quorate.complaints.Contenders;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.FakeLeaderLatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A resource that refuses stale tokens is safe from a leader that does not know yet that it was replaced. */
class FencingTest {

    /** It refuses a token that is lower than the highest one that it has seen. */
    private static final class Resource {
        private final List<String> written = new ArrayList<>();
        private long highest;

        private boolean write(String writer, long token) {
            if (token < highest) {
                return false;
            }
            highest = token;
            written.add(writer);
            return true;
        }
    }

    // It has checked, and sleeps before it writes: no check on its side could help.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void aLeaderThatSleptBeforeItsWriteIsRefused(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            Resource resource = new Resource();
            LeaderLatch first = contenders.latch("n1");
            long token = first.fencingToken();
            assertThat(first.hasLeadership()).isTrue();
            assertThat(resource.write("n1", token)).isTrue();
            contenders.cluster().pause("n1");
            contenders.watch(SUPPORT.multipliedBy(2));
            assertThat(resource.write("n2", contenders.latch("n2").fencingToken()))
                    .isTrue();
            contenders.cluster().resume("n1");
            assertThat(resource.write("n1", token)).isFalse();
            assertThatIllegalStateException().isThrownBy(first::fencingToken);
            assertThat(resource.written).containsExactly("n1", "n2");
        }
    }

    // The token comes with the callback, so it is that of the leadership that the callback is about.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void theTokenOfTheListenerIsThatOfItsOwnLeadership(ElectionAlgorithm algorithm) {
        try (Contenders contenders = new Contenders(ClusterSettings.ofVoters(3).algorithm(algorithm))) {
            Resource resource = new Resource();
            Map<String, Long> tokens = new HashMap<>();
            for (String node : contenders.cluster().nodes()) {
                contenders.join(node).addListener((FencedLeaderLatchListener) token -> {
                    tokens.put(node, token);
                    assertThat(resource.write(node, token)).isTrue();
                });
            }
            tokens.put("n1", contenders.latch("n1").fencingToken());
            for (String leader : List.of("n1", "n2")) {
                contenders.cluster().isolate(leader);
                contenders.watch(SUPPORT.multipliedBy(2));
                assertThat(resource.write(leader, tokens.get(leader)))
                        .as(leader)
                        .isFalse();
                contenders.cluster().heal();
                contenders.watch(SUPPORT.multipliedBy(2));
            }
            assertThat(resource.written).containsExactly("n2", "n3");
        }
    }

    // Without a disk terms come from the wall clock: no int holds them, and the names sort as they do.
    @Test
    void tokensAreLongs() throws Exception {
        try (Contenders contenders =
                Contenders.joined(ClusterSettings.ofVoters(1).diskless())) {
            assertThat(contenders.latch("n1").fencingToken()).isGreaterThan(1L << 40);
        }
        List<Long> tokens = new ArrayList<>();
        try (FakeLeaderLatch latch = new FakeLeaderLatch(PATH)) {
            latch.addListener((FencedLeaderLatchListener) tokens::add);
            latch.start();
            String before = "";
            for (long token : List.of(9L, 10L, Integer.MAX_VALUE + 1L, Long.MAX_VALUE)) {
                latch.grant(token);
                assertThat(latch.fencingToken()).isEqualTo(token);
                assertThat(latch.getLastPathIsLeader())
                        .isGreaterThan(before)
                        .endsWith(
                                "-latch-" + "0".repeat(19 - Long.toString(token).length()) + token);
                before = latch.getLastPathIsLeader();
                latch.revoke();
            }
        }
        assertThat(tokens).containsExactly(9L, 10L, Integer.MAX_VALUE + 1L, Long.MAX_VALUE);
    }
}
