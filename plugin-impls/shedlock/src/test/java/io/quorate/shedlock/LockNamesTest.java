package io.quorate.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.quorate.LeaderLatch;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each name of a lock is a legal name in a path, and another one. */
class LockNamesTest {

    private static final List<String> NAMES = List.of(
            "job",
            "Job",
            "a/b",
            "a%2Fb",
            "/",
            ".",
            "..",
            "...",
            "%2E",
            " ",
            "+",
            "%20",
            "*",
            "\t",
            "\u0000",
            "ä",
            "a\u0308",
            "\ue000",
            "\uffff",
            "\ud83d\ude80",
            "reports:daily#1");

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(1);

    @Test
    void eachIsLegalInAPath() {
        assertThat(NAMES).allSatisfy(name -> assertThatCode(
                        () -> new LeaderLatch(cluster.client("n1"), "/shedlock/" + LockNames.encoded(name)))
                .doesNotThrowAnyException());
        assertThat(NAMES.stream().map(LockNames::encoded))
                .allSatisfy(encoded -> assertThat(encoded).matches("[A-Za-z0-9._*+%-]+"));
    }

    @Test
    void noTwoShareAPath() {
        assertThat(NAMES.stream().map(LockNames::encoded)).doesNotHaveDuplicates();
    }

    @Test
    void plainNamesStayAsTheyAre() {
        assertThat(LockNames.encoded("daily-report_1.a")).isEqualTo("daily-report_1.a");
    }
}
