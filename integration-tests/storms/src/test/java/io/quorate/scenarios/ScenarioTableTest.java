package io.quorate.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenarios.ScenarioTable.Cell;
import io.quorate.scenarios.ScenarioTable.Promise;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.Experiment.End;
import io.quorate.testkit.simulation.Experiment.Mode;
import io.quorate.testkit.simulation.PublishedScenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docs/protocol.md#partial-connectivity: every algorithm in every published scenario, under the lease and alone. */
class ScenarioTableTest {

    private static final Path FULL = Path.of("..", "docs", "scenarios.md");
    private static final Path PROTOCOL = Path.of("..", "..", "plugin-api", "docs", "protocol.md");
    private static final String BEGIN = "<!-- scenarios: written by ScenarioTableTest -->\n";
    private static final String AFTER = "<!-- end of scenarios -->";

    /** Those in which each promise is broken where it is not given, and each way in which links fail. */
    private static final Set<String> SAMPLE =
            Set.of("partition 3 | 2", "split 2 | 2", "quorum loss", "bridge", "leader deaf", "leader pause");

    private static final boolean IS_WHOLE = Effort.isWhole() || System.getProperty("rewrite") != null;

    private static ScenarioTable table;

    @BeforeAll
    static void measure() {
        table = ScenarioTable.measure(PublishedScenario.all().stream()
                .filter(scenario -> IS_WHOLE || SAMPLE.contains(scenario.name()))
                .toList());
    }

    // One leader at most, one at all wherever some node reaches a majority, and one after healing, within four leases.
    @Test
    void leaseKeepsItsPromisesInEveryScenario() {
        assertThat(table.broken(Mode.LEASED)).isEmpty();
    }

    // The same checks of the same scenarios find each promise broken where nobody has given it.
    @Test
    void everyPromiseCanBeSeenBroken() {
        assertThat(table.broken(new Cell("partition 3 | 2", Mode.UNLEASED_FAITHFUL, "bully")))
                .contains(Promise.ONE_LEADER, Promise.ONE_LEADER_AFTER_HEALING);
        assertThat(table.broken(new Cell("quorum loss", Mode.UNLEASED_FAITHFUL, "ballot")))
                .contains(Promise.LEADER_IF_MAJORITY);
        assertThat(table.broken(new Cell("split 2 | 2", Mode.UNLEASED_HARDENED, "bully")))
                .contains(Promise.NO_LEADER_WITHOUT_MAJORITY);
    }

    // Otherwise the table would compare nothing.
    @Test
    void everyScenarioIsMeasuredWithEveryAlgorithmInEveryMode() {
        int scenarios = IS_WHOLE ? PublishedScenario.all().size() : SAMPLE.size();
        assertThat(table.cells()).hasSize(scenarios * 3 * 5);
        assertThat(PublishedScenario.all())
                .extracting(PublishedScenario::name)
                .doesNotHaveDuplicates()
                .contains("partition 3 | 2", "quorum loss", "constrained", "chain", "leader deaf", "leader mute");
    }

    // The words above the tables.
    @Test
    void summaryIsTrue() {
        for (String algorithm : ScenarioTable.ALGORITHMS) {
            assertThat(table.cells())
                    .as(algorithm + " has two leaders in some scenario")
                    .anyMatch(cell -> cell.mode() == Mode.UNLEASED_HARDENED
                            && cell.algorithm().equals(algorithm)
                            && table.figures(cell).leadersMax() > 1);
        }
        assertThat(table.cells())
                .filteredOn(cell -> cell.mode() == Mode.UNLEASED_HARDENED)
                .allMatch(cell -> table.figures(cell).ends().equals(Set.of(End.ONE)));
        assertThat(ScenarioTable.ALGORITHMS)
                .filteredOn(algorithm -> table.count(Mode.UNLEASED_FAITHFUL, algorithm, End.SEVERAL) > 0)
                .containsExactly("bully", "lcr", "token-ring", "three-phase");
    }

    @Test
    void publishedTableIsWhatTheCodeDoes() throws IOException {
        compare(FULL, Files.exists(FULL) ? Files.readString(FULL) : "", new ScenarioReport(table).full());
    }

    @Test
    void protocolHasTheShortForm() throws IOException {
        String protocol = Files.readString(PROTOCOL);
        int begin = protocol.indexOf(BEGIN) + BEGIN.length();
        int end = protocol.indexOf(AFTER);
        assertThat(end).as("%s must have '%s' and '%s'", PROTOCOL, BEGIN, AFTER).isGreaterThanOrEqualTo(begin);
        assertThat(begin).isGreaterThanOrEqualTo(BEGIN.length());
        compare(
                PROTOCOL,
                protocol,
                protocol.substring(0, begin) + "\n" + new ScenarioReport(table).brief() + "\n"
                        + protocol.substring(end));
    }

    private static void compare(Path file, String committed, String generated) throws IOException {
        if (System.getProperty("rewrite") != null) {
            Files.writeString(file, generated);
        } else if (IS_WHOLE) {
            assertThat(committed).as("%s; -Drewrite writes it", file).isEqualTo(generated);
        } else {
            assertThat(committed.lines().filter(ScenarioTableTest::isOfSample))
                    .as("%s; -Drewrite writes it", file)
                    .isNotEmpty()
                    .containsExactlyElementsOf(generated
                            .lines()
                            .filter(ScenarioTableTest::isOfSample)
                            .toList());
        }
    }

    private static boolean isOfSample(String line) {
        return SAMPLE.stream().anyMatch(name -> line.startsWith("| " + name.replace("|", "\\|") + " | "));
    }
}
