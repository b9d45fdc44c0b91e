package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckCommandTest {

    private static final String PEERS = "quorate.peers=n1=127.0.0.1:7401,n2=127.0.0.1:7402,n3=127.0.0.1:7403";
    private static final String SECRET = "a secret of some length";

    @TempDir
    private Path directory;

    private Path file(String name, String... lines) throws IOException {
        return Files.write(directory.resolve(name), Arrays.asList(lines));
    }

    private Path node(String id, String... lines) throws IOException {
        List<String> all = Stream.concat(Stream.of("quorate.node-id=" + id, PEERS), Stream.of(lines))
                .toList();
        return Files.write(directory.resolve(id + ".properties"), all);
    }

    private static Run check(Path... files) {
        return Run.of(Stream.concat(Stream.of("check"), Stream.of(files).map(Path::toString))
                .toArray(String[]::new));
    }

    @Test
    void validFilesAreListed() throws IOException {
        Path one = node("n1", "# a comment", "quorate.heartbeat=100ms", "other.key=1");
        Path two = node("n2", "quorate.priority=3", "quorate.listen=0.0.0.0:7402");
        Run run = check(one, two);
        assertThat(run.out()).isEqualTo(one + ": node n1, no fault\n" + two + ": node n2, no fault\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void allFaultsAreSaid() throws IOException {
        Path wrong = node("n4", "quorate.suport=1s", "quorate.drift=50", "quorate.heartbeat=soon");
        Path right = node("n1");
        Run run = check(wrong, right);
        assertThat(run.out())
                .contains(wrong + ": Bad configuration: ")
                .contains("key quorate.suport: there is no such setting; the nearest is quorate.support")
                .contains("driftPercent 50: must be from 0 to 49")
                .contains("quorate.heartbeat 'soon'")
                .contains("nodeId 'n4': must be one of the peers")
                .endsWith(right + ": node n1, no fault\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void unreadableFilesAreNamed() throws IOException {
        Path missing = directory.resolve("none");
        Path latin = Files.write(directory.resolve("latin"), "quorate.node-id=ü".getBytes(StandardCharsets.ISO_8859_1));
        Path escaped = file("escaped", "quorate.node-id=\\uXYZ");
        Run run = check(missing, latin, escaped, directory);
        assertThat(run.out())
                .contains(missing + ": cannot be read: ")
                .contains(latin + ": must be a file of properties in UTF-8")
                .contains(escaped + ": must be a file of properties: ")
                .contains(directory + ": cannot be read: ");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    quorate.cluster-id=a  | quorate.cluster-id=b      | quorate.cluster-id: must be equal
                    quorate.voters=n1,n2  | quorate.voters=n1,n2,n3   | quorate.voters: must be equal
                    quorate.support=2s    | quorate.support=3s        | quorate.support: must be equal
                    quorate.profile=CALM  | quorate.priority=1        | quorate.support: must be equal
                    quorate.drift=1       | quorate.drift=2           | quorate.drift: must be equal
                    quorate.migration=tandem | quorate.priority=1     | quorate.migration: must be equal
                    quorate.namespace=a   | quorate.priority=1        | quorate.namespace: must be equal
                    quorate.transport=tcp | quorate.transport=vertx   | quorate.transport: must be equal
                    quorate.algorithm=lcr | quorate.algorithm=bully   | quorate.algorithm: should be equal
                    quorate.delta=10ms    | quorate.delta=20ms        | quorate.delta: should be equal
                    quorate.rank-order=SPREAD | quorate.priority=1    | quorate.rank-order: should be equal
                    quorate.data-directory=a  | quorate.priority=1    | quorate.data-directory: all voters must
                    quorate.peers=n1=a:1,n2=b:1 | quorate.peers=n1=a:1,n2=b:2 | quorate.peers: must be equal
                    quorate.priority=1    | quorate.node-id=n1        | quorate.node-id: must be of one node only
                    """)
    void forbiddenDifferencesAreNamed(String one, String other, String message) throws IOException {
        Run run = check(node("n1", one), node("n2", other));
        assertThat(run.out()).contains("\n" + message);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(check(node("n1", one), node("n2", one.replace("n1=a:1,n2=b:1", "n2=b:1 , n1=a:1")))
                        .exitCode())
                .isZero();
    }

    @Test
    void theFilesOfADifferenceAreNamed() throws IOException {
        Path one = node("n1");
        Path two = node("n2", "quorate.support=2s");
        Path three = node("n3");
        assertThat(check(one, two, three).out())
                .endsWith("quorate.support: must be equal on all nodes: PT1S in " + one + ", " + three + "; PT2S in "
                        + two + "\n");
    }

    // A voter that is not named, or a list in another order, is the same.
    @Test
    void equalValuesAreNotListed() throws IOException {
        Run run = check(
                node("n1", "quorate.voters=n1,n2,n3", "quorate.transport=tcp"),
                node("n2", "quorate.voters=n3,n2,n1"),
                node("n3"));
        assertThat(run.exitCode()).as(run.out()).isZero();
    }

    // Only voters keep terms.
    @Test
    void aNodeThatDoesNotVoteNeedsNoDirectory() throws IOException {
        Run run = check(
                node("n1", "quorate.voters=n1,n2", "quorate.data-directory=a"),
                node("n2", "quorate.voters=n1,n2", "quorate.data-directory=b"),
                node("n3", "quorate.voters=n1,n2"));
        assertThat(run.exitCode()).as(run.out()).isZero();
    }

    private String secret(String name, String... lines) throws IOException {
        return "quorate.secret-file=" + file(name, lines);
    }

    @Test
    void secretsAreComparedAndNeverShown() throws IOException {
        String mine = secret("mine", SECRET);
        String yours = secret("yours", SECRET + "2");
        Path one = node("n1", mine);
        Path two = node("n2", yours);
        Run run = check(one, two);
        assertThat(run.out())
                .endsWith("quorate.secret-file: each node must know the secret that each other one sends with: another"
                        + " secret in " + one + ", " + two + "\n")
                .doesNotContain(SECRET);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(check(node("n1", mine), node("n2")).out())
                .contains("quorate.secret-file: all nodes must have one, or none: none in ");
        assertThat(check(node("n1", mine), node("n2", secret("copy", SECRET + "\r")))
                        .exitCode())
                .isZero();
    }

    // docs/security.md: first every node learns the next secret, then each sends with it.
    @Test
    void inTheMiddleOfAChangeSecretsMayDiffer() throws IOException {
        String next = SECRET + "2";
        Path before = node("n1", secret("before", SECRET, next));
        Path after = node("n2", secret("after", next, SECRET));
        assertThat(check(before, after).exitCode()).isZero();
        Path late = node("n3", secret("late", SECRET));
        assertThat(check(before, after, late).exitCode()).isEqualTo(1);
    }

    @Test
    void anAlgorithmOfTheApplicationIsRemarkedOn() throws IOException {
        Run run = check(node("n1", "quorate.algorithm=balot"));
        assertThat(run.out())
                .contains("  algorithm 'balot': is none of Quorate's own, which are ballot, bully, lcr, three-phase,"
                        + " token-ring; the application has to bring it\n");
        assertThat(run.exitCode()).isZero();
    }
}
