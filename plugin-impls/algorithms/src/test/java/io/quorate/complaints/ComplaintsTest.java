package io.quorate.complaints;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Every complaint of users of Curator's LeaderLatch and LeaderSelector that is known to this project, and where it is
 * tested: a number stands in the display name of a test of its class, or of the selectors' class.
 *
 * <p>{@code CURATOR-n} is a ticket of Apache's tracker and {@code #n} the GitHub issue it became; a {@code PR} without
 * a project is Curator's, or belongs to the ticket before it. All of them can be tested on a latch or a selector.
 */
class ComplaintsTest {

    private static final Map<Class<?>, String> COMPLAINTS = new LinkedHashMap<>();

    static {
        COMPLAINTS.put(
                DoubleLeaderComplaintsTest.class,
                """
                CURATOR-620 #1137, CURATOR-652 #1168, CURATOR-653 #1169, PR #398, PR #436,
                CURATOR-696 #1211, PR #500, druid #16411, druid PR #16528, CURATOR-444 #964, PR #243,
                CURATOR-460 #980, CURATOR-220 #740, CURATOR-171 #692, PR #195, CURATOR-47 #568, Netflix #216,
                Netflix #115, CURATOR-498 #1018, PR #298, CURATOR-505, CURATOR-533,
                Found with Curator (1), Found with Curator (2)""");
        COMPLAINTS.put(
                NoLeaderComplaintsTest.class,
                """
                CURATOR-504 #1024, CURATOR-644 #1160, CURATOR-645 #1161, PR #430, FLINK-28078, PR #20709,
                CURATOR-724 #1239, PR #515, CURATOR-165 #686, CURATOR-110 #631, CURATOR-87 #608, CURATOR-396 #916,
                CURATOR-202 #723, STORM-1115, CURATOR-205 #726, CURATOR-62 #583, vipshop/Saturn #168""");
        COMPLAINTS.put(
                SelectorComplaintsTest.class,
                """
                CURATOR-15 #536, CURATOR-16 #537, CURATOR-73 #594, CURATOR-104 #625, CURATOR-573 #1092, PR #74,
                Netflix #53, CURATOR-518 #1038, PR #446, CURATOR-671 #1186, PR #462, CURATOR-54 #575, Netflix #68""");
        COMPLAINTS.put(
                LeakAndCloseComplaintsTest.class,
                """
                CURATOR-3 #524, Netflix #265, CURATOR-18 #539, Netflix #257, Netflix #274, CURATOR-521 #1041,
                CURATOR-467 #987, CURATOR-466 #986, CURATOR-468 #988, CURATOR-337 #857, AMORO #3132, Netflix #205""");
        COMPLAINTS.put(
                NotificationComplaintsTest.class,
                """
                CURATOR-22 #543, CURATOR-83 #604, CURATOR-92 #613, PR #1, CURATOR-358 #878, CURATOR-436 #956,
                STORM-2400, CURATOR-346 #866, CURATOR-537 #1056, PR #324, PR #414, CURATOR-637 #1153,
                druid PR #4699, FLINK-10052, PR #9158, PR #11338, PR #15675, PR #16801, druid PR #17546,
                STORM-3354, CURATOR-136, PR #39""");
    }

    private static final Pattern NUMBER = Pattern.compile("(CURATOR|STORM|FLINK)-\\d+"
            + "|(druid PR|druid|PR|Netflix|AMORO|vipshop/Saturn) #\\d+|#\\d+|Found with Curator \\(\\d\\)");

    private static Set<String> numbers(String text) {
        return NUMBER.matcher(text).results().map(MatchResult::group).collect(toCollection(TreeSet::new));
    }

    private static Set<String> numbers(Class<?> tests) {
        Stream<String> names = Arrays.stream(tests.getDeclaredMethods())
                .map(m -> m.getAnnotation(DisplayName.class))
                .filter(name -> name != null)
                .map(DisplayName::value);
        return numbers(String.join("\n", names.toList()));
    }

    private static Set<String> untested(Class<?> tests, String complaints) {
        Set<String> missing = numbers(complaints);
        missing.removeAll(numbers(tests));
        return missing;
    }

    @Test
    void everyComplaintStandsInTheNameOfATest() {
        COMPLAINTS.forEach((tests, complaints) -> assertThat(untested(tests, complaints))
                .as(tests.getSimpleName())
                .isEmpty());
    }

    @Test
    void everyNumberInTheNameOfATestIsAComplaint() {
        Set<String> known = numbers(String.join("\n", COMPLAINTS.values()));
        for (Class<?> tests : COMPLAINTS.keySet()) {
            assertThat(known).as(tests.getSimpleName()).containsAll(numbers(tests));
        }
    }

    @Test
    void theTableIsReadInFull() {
        assertThat(COMPLAINTS.values()).allSatisfy(complaints -> assertThat(
                        NUMBER.matcher(complaints).replaceAll("").replaceAll("[,\\s]", ""))
                .isEmpty());
        assertThat(COMPLAINTS.values().stream()
                        .mapToInt(complaints -> numbers(complaints).size())
                        .sum())
                .isEqualTo(132);
    }

    // A number that is part of another one is not that one.
    @Test
    void aComplaintWithoutATestIsFound() {
        assertThat(untested(NoLeaderComplaintsTest.class, "CURATOR-504 #1024, CURATOR-50, PR #43, Netflix #168"))
                .containsExactly("CURATOR-50", "Netflix #168", "PR #43");
        assertThat(untested(ComplaintsTest.class, "CURATOR-504")).isEqualTo(Set.copyOf(List.of("CURATOR-504")));
    }
}
