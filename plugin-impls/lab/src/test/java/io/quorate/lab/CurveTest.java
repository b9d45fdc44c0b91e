package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.election.RollCall;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.HighestUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/lab.md#messages-over-the-number-of-processes: the shipped machines beside the formulas of their documents. */
class CurveTest {

    private static final Pattern POINT = Pattern.compile("<title>N=(\\d+): (\\d+), from (\\d+) to (\\d+)</title>");

    @TempDir
    private Path directory;

    private Path numbers() {
        return directory.resolve("curve.csv");
    }

    private Run curve(String arguments) {
        String[] all = Stream.concat(
                        Stream.of(arguments.split(" ")),
                        Stream.of("--csv", numbers().toString()))
                .toArray(String[]::new);
        return Run.of(all);
    }

    private List<String[]> rows() throws IOException {
        return Files.readAllLines(numbers()).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "bully, 4",
        "lcr, 2",
        "lcr --ring worst, 2",
        "token-ring, 3",
        "token-ring --ring worst, 3",
        "ballot, 2",
        "three-phase, 4"
    })
    void formulasOfTheDocumentsHold(String algorithm, int formulas) {
        Run run = curve(algorithm + " --curve 3..8");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out().split("holds at all 6 numbers", -1)).as(run.out()).hasSize(formulas + 1);
        assertThat(run.out()).doesNotContain("differs");
    }

    // These formulas are for two survivors or more, as docs/lab.md explains.
    @ParameterizedTest
    @CsvSource({
        "token-ring, N=2: 1 instead of 2",
        "three-phase, N=2: 5 instead of 6",
        "ballot, N=2: no leader instead of 4"
    })
    void survivorAloneDiffersFromTheFormula(String algorithm, String difference) {
        assertThat(curve(algorithm + " --curve 2..3").out())
                .contains("differs at 1 of 2 numbers, most at " + difference);
    }

    @Test
    void drawnRingsHaveTheAverageOfTheDocument() throws IOException {
        Run run = curve("lcr --curve 5..6 --ring random --seeds 40 --way documented");
        assertThat(run.out()).contains("40 seeds", "on average: holds at all 2 numbers");
        for (String[] row : rows()) {
            assertThat(Integer.parseInt(row[5])).isLessThan(Integer.parseInt(row[8]));
            assertThat(row[9]).isEqualTo("0");
        }
    }

    // The hardened winner repeats SELECTED while slow messages are still under way.
    @Test
    void repetitionsAreCounted() {
        assertThat(curve("lcr --curve 4..4 --ring random --way hardened").out()).contains("the mean differs at 1 of 1");
    }

    @Test
    void oneNumberIsNotCalledAll() {
        assertThat(curve("lcr --curve 9..9 --ring best --way documented").out())
                .contains("N=9: 23\n  formula 3M-1: holds\n");
    }

    @Test
    void pictureHasThePointsOfTheNumbers() throws IOException {
        curve("bully --curve 3..5 --seeds 3");
        String picture = Files.readString(directory.resolve("curve.svg"));
        // Programs for slides know only the first of the two.
        assertThat(picture).contains(".grid { stroke: #dde1e8; stroke: light-dark(");
        List<List<String>> drawn = POINT.matcher(picture)
                .results()
                .map(point -> List.of(point.group(1), point.group(2), point.group(3), point.group(4)))
                .toList();
        List<List<String>> written = rows().stream()
                .map(row -> List.of(row[0], row[6], row[5], row[8]))
                .toList();
        assertThat(drawn).hasSize(3 * 2 * 3).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "bully --curve 2..100000     | --curve '2..100000': must be FROM..UNTIL",
                "bully --curve 5..2          | --curve '5..2': must be FROM..UNTIL",
                "bully --curve abc           | --curve 'abc': must be FROM..UNTIL",
                "bully --curve 1..3          | two whole numbers from 2 to 50",
                "bully --curve 2..3 --ring worst | and not for bully, because it is the order in which each process sends",
                "lcr --curve 2..3 --ring 3,2,1 | --ring '3,2,1': must be worst, best or random with --curve",
                "lcr --curve 2..3 --ring any | --ring 'any': must be worst, best or random with --curve",
                "lcr --curve 2..3 --seeds 101 | --seeds 101: must be from 1 to 100",
                "lcr --curve 2..3 --way lease | --way lease: must be documented or hardened with --curve",
                "lcr --curve 2..3 --html x   | --curve: must stand without --html",
                "--curve 2..3                | --curve: must stand with ALGORITHM"
            })
    void wrongCurveIsRejectedWithItsRule(String arguments, String rule) {
        Run run = curve(arguments);
        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.err()).contains(rule);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void fileOfNumbersHasItsEnding() {
        assertThat(Run.of("lcr", "--curve", "2..3", "--csv", "x.txt").err())
                .contains("--csv 'x.txt': must end in .csv");
        assertThat(Run.of("lcr", "--seeds", "3").err()).contains("ALGORITHM: must stand without --seeds");
    }

    /** Fails with five processes. It is public because a class path names it. */
    public static final class FailsWithFive extends HighestUp {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            if (membership.contenders() == 5) {
                throw new ArithmeticException("five");
            }
            return super.create(membership, timing, options);
        }
    }

    private Run curve(Class<? extends ElectionAlgorithm> other, String arguments) throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF").resolve("services"));
        Files.writeString(services.resolve("io.quorate.spi.ElectionAlgorithm"), other.getName() + "\n");
        return curve(arguments + " --classpath " + directory);
    }

    // An algorithm of another author has no formula, and is measured anyway.
    @Test
    void algorithmWithoutADocumentIsMeasured() throws IOException {
        Run run = curve(RollCall.class, "roll-call --curve 3..4 --way documented");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("the document has no formula").doesNotContain("no leader");
        Run failed = curve(FailsWithFive.class, "highest-up --curve 4..5");
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.err()).contains("algorithm highest-up failed at an election of 5 processes: ", "five");
    }
}
