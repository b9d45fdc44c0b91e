package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatusCommandTest {

    private static final String VOTERS = "'n1','n2','n3'";

    private final FakeNode one = new FakeNode();
    private final FakeNode two = new FakeNode();
    private final FakeNode three = new FakeNode();

    @AfterEach
    void close() {
        one.close();
        two.close();
        three.close();
    }

    private Run status(String... more) {
        Stream<String> urls = Stream.of("status", "--url", one.url(), "--url", two.url(), "--url", three.url());
        return Run.of(Stream.concat(urls, Stream.of(more)).toArray(String[]::new));
    }

    private void allAreWell() {
        one.status("n1", "UP", VOTERS, VOTERS, ",'hears':[" + VOTERS + "],'margin':612,'version':'0.2.0'");
        two.status("n2", "STANDBY", VOTERS, VOTERS, ",'hears':[" + VOTERS + "],'margin':null,'version':null");
        three.status("n3", "UP", VOTERS, VOTERS, "");
    }

    @Test
    void pathsThatANodeLeavesAreNoFault() {
        String more =
                ",'leaving':[{'path':'/a','reason':'r1'},{'path':'/b','reason':'r2'},{'path':'/c','reason':'r3'}]";
        one.status("n1", "UP", "'n1'", "'n1'", more);
        Run run = Run.of("status", "--url", one.url());
        assertThat(run.out()).endsWith("\nHEALTHY\n  n1 leaves /a: r1\n  n1 leaves /b: r2\n  n1 leaves 1 more\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void howFarANodeHasMovedIsNoFault() {
        String more = ",'stages':[{'path':'/a','stage':'shadow'},{'path':'/b','stage':'tandem'},"
                + "{'path':'/c','stage':'tandem'}]";
        one.status("n1", "UP", "'n1'", "'n1'", more);
        Run run = Run.of("status", "--url", one.url());
        assertThat(run.out())
                .endsWith("\nHEALTHY\n  n1 moves on /a: shadow\n  n1 moves on /b: tandem\n  n1 moves on 1 more\n");
        assertThat(run.exitCode()).isZero();
        assertThat(Run.of("status", "-o", "json", "--url", one.url()).out())
                .contains("\"stages\":[{\"path\":\"/a\",\"stage\":\"shadow\"},");
    }

    // As on a full disk: the voter is UP, and does not vote in new terms.
    @Test
    void aProblemOfANodeIsNotHealthy() {
        allAreWell();
        one.status("n1", "UP", VOTERS, VOTERS, ",'problems':[{'kind':'terms','text':'no space left'}]");
        Run run = status();
        assertThat(run.out()).endsWith("\nDEGRADED\n  n1: no space left\n");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(status("-o", "json").out()).contains("\"problems\":[\"no space left\"]");
    }

    // Its reason names the problem already.
    @Test
    void aProblemOfANodeThatIsNotConnectedIsToldOnce() {
        one.status("n1", "JOINING", VOTERS, "", ",'problems':[{'kind':'secret','text':'another secret'}]");
        assertThat(Run.of("status", "--url", one.url()).out()).doesNotContain("n1: another secret");
    }

    @Test
    void possibleFaultsAreRemarks() {
        Instant end = Instant.now().plus(Duration.ofDays(9)).plusSeconds(3600);
        one.status("n1", "UP", "'n1'", "'n1'", ",'margin':0,'certificateEnd':'" + end + "'");
        Run run = Run.of("status", "--url", one.url());
        assertThat(run.out())
                .endsWith("\nHEALTHY\n  the certificate of n1 ends at " + end
                        + ", in 9 days: put another one in its place\n"
                        + "  n1 lost the support of a majority in the last minute: look for pauses, load and a slow"
                        + " network\n");
        assertThat(run.exitCode()).isZero();
        one.status("n1", "UP", "'n1'", "'n1'", ",'margin':1,'certificateEnd':'" + end.plus(Duration.ofDays(22)) + "'");
        assertThat(Run.of("status", "--url", one.url()).out()).endsWith("\nHEALTHY\n");
    }

    @Test
    void allIsWell() {
        allAreWell();
        Run run = status();
        assertThat(run.out())
                .isEqualTo(
                        """
                        NODE  VOTER  STATE    SUPPORTED-BY  LEADS  MARGIN  VERSION
                        n1    yes    UP       3 of 3        -      612 ms  0.2.0
                        n2    yes    STANDBY  3 of 3        -      -       -
                        n3    yes    UP       3 of 3        -      -       -

                        HEALTHY
                        """);
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void pathsAreNamedOrCounted() {
        allAreWell();
        one.answer(
                "/status",
                200,
                "{'node':'n1','cluster':'c','state':'UP','reason':'','voters':[" + VOTERS + "],'supporters':[" + VOTERS
                        + "],'leads':[{'path':'/b','token':2},{'path':'/a','token':1}]}");
        two.answer(
                "/status",
                200,
                "{'node':'n2','cluster':'c','state':'UP','reason':'','voters':[" + VOTERS + "],'supporters':[" + VOTERS
                        + "],'leads':[{'path':'/c','token':2},{'path':'/d','token':1},{'path':'/e','token':1}]}");
        assertThat(status().out()).contains(" /a /b ").contains(" 3 paths ");
    }

    // One address is enough to know of the others, as of a witness without HTTP.
    @Test
    void votersThatNobodyWasAskedOfAreShown() {
        one.status("n1", "UP", VOTERS, "'n1','n3'", ",'hears':['n1','n2','n3']");
        Run run = Run.of("status", "--url", one.url());
        assertThat(run.out())
                .contains("n2    yes    UNKNOWN: supports none that was asked\n")
                .contains("n3    yes    UNKNOWN: supports n1\n")
                .endsWith("\nDEGRADED\n  n2 is heard, but does not support any node that was asked: it does not vote,"
                        + " and its log says why\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    // As after its data directory was emptied: it runs, is supported by the others, and is heard.
    @Test
    void aVoterThatDoesNotVoteIsNotHealthy() {
        String support = "'n1','n2'";
        one.status("n1", "UP", VOTERS, support, ",'hears':[" + VOTERS + "]");
        two.status("n2", "UP", VOTERS, support, ",'hears':[" + VOTERS + "]");
        three.status("n3", "UP", VOTERS, support, ",'hears':[" + VOTERS + "]");
        Run run = status();
        assertThat(run.out())
                .endsWith("\nDEGRADED\n  n3 is heard, but does not support any node that was asked: it does not vote,"
                        + " and its log says why\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    // On a busy machine the others may be late too, but not each time.
    @Test
    void aNodeThatDoesNotAnswerIsARow() {
        allAreWell();
        three.hang("/status");
        String late = ": no answer within 300 ms\n";
        Run run = status("--timeout", "300ms");
        for (int round = 1; round < 100 && run.out().split(late, -1).length > 2; round++) {
            run = status("--timeout", "300ms");
        }
        assertThat(run.out())
                .contains("n3    yes    UNKNOWN: supports n1, n2\n\n")
                .endsWith("DEGRADED\n  " + three.url() + late);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    // n3 may be a witness without HTTP, and the silent address that of a contender, or another one of n1.
    @Test
    void nobodyKnowsWhoseAnAddressIsThatDoesNotAnswer() {
        one.status("n1", "UP", VOTERS, VOTERS, ",'hears':[" + VOTERS + "]");
        two.status("n2", "UP", VOTERS, VOTERS, ",'hears':[" + VOTERS + "]");
        String nobody = FakeNode.nobody();
        Run run = Run.of("status", "--url", one.url(), "--url", two.url(), "--url", nobody);
        assertThat(run.out())
                .contains("n3    yes    UNKNOWN: supports n1, n2\n")
                .contains("DEGRADED\n  " + nobody + ": ");
    }

    @Test
    void aNodeThatIsNotConnectedIsAProblem() {
        allAreWell();
        three.status("n3", "DISCONNECTED", VOTERS, "'n3'", "");
        Run run = status();
        assertThat(run.out()).endsWith("DEGRADED\n  n3 is DISCONNECTED: why\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void aVoterThatANodeDoesNotHearIsAProblem() {
        allAreWell();
        one.status("n1", "UP", VOTERS, "'n1','n2'", ",'hears':['n1','n2']");
        Run run = status();
        assertThat(run.out()).endsWith("DEGRADED\n  n1 does not hear n3\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void differentClustersAndVotersAreProblems() {
        allAreWell();
        two.status("n2", "UP", "'n1','n2'", "'n1','n2'", "");
        assertThat(status().out())
                .endsWith("DEGRADED\n  the nodes have different lists of voters: n1, n2, n3 and n1, n2\n");
        two.answer(
                "/status",
                200,
                "{'node':'n2','cluster':'d','state':'UP','reason':'','voters':['n2'],'supporters':['n2'],'leads':[]}");
        assertThat(status().out()).contains("the nodes are of different clusters: c, d");
    }

    // Others vote in its place, and nobody has stopped its process.
    @Test
    void aNodeThatKnowsAnOlderListTakesNoMajorityFromTheNewest() {
        String newest = "'n4','n5','n6'";
        one.status("n1", "DISCONNECTED", VOTERS, "'n1'", ",'hears':[]");
        two.status("n4", "UP", newest, newest, ",'votersNumber':7,'hears':[" + newest + "]");
        three.status("n5", "UP", newest, newest, ",'votersNumber':7,'hears':[" + newest + "]");
        Run run = status();
        assertThat(run.out())
                .isEqualTo(
                        """
                        NODE  VOTER  STATE         SUPPORTED-BY  LEADS  MARGIN  VERSION
                        n1    no     DISCONNECTED  1 of 3        -      -       -
                        n4    yes    UP            3 of 3        -      -       -
                        n5    yes    UP            3 of 3        -      -       -
                        n6    yes    UNKNOWN: supports n4, n5

                        DEGRADED
                          n1 is DISCONNECTED: why
                          n1 knows an older list of voters: number 1, and the newest is number 7
                        """);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void aCertificateThatHasEndedIsNoHealth() {
        allAreWell();
        two.status("n2", "UP", VOTERS, VOTERS, ",'certificateEnd':'2026-01-31T07:00:00Z'");
        three.status("n3", "UP", VOTERS, VOTERS, ",'certificateEnd':'9999-01-31T07:00:00Z'");
        Run run = status();
        assertThat(run.out())
                .endsWith(
                        "\nDEGRADED\n  the certificate of n2 has ended at 2026-01-31T07:00:00Z: put another one in its"
                                + " place\n");
        assertThat(run.exitCode()).isEqualTo(1);
        two.status("n2", "UP", VOTERS, VOTERS, ",'certificateEnd':'soon'");
        assertThat(status().exitCode()).isZero();
    }

    // A process of one's own at two addresses is no fault.
    @Test
    void twoProcessesUnderOneIdAreNamed() {
        allAreWell();
        three.status("n2", "JOINING", VOTERS, "'n2'", "");
        assertThat(status().out())
                .contains("  n2 answers at two addresses: JOINING at " + three.url() + ", and STANDBY at " + two.url()
                        + ". If these are two processes, stop one\n");
        three.status("n2", "STANDBY", VOTERS, VOTERS, "");
        assertThat(status().out()).doesNotContain("two addresses");
    }

    // The newest list may be that of fewer nodes, and those may be lost.
    @Test
    void aMajorityIsOneOfTheNewestList() {
        one.status("n1", "UP", VOTERS, VOTERS, ",'votersNumber':1");
        two.status("n2", "UP", VOTERS, VOTERS, ",'votersNumber':1");
        three.status("n4", "DISCONNECTED", "'n3','n4','n5'", "'n4'", ",'votersNumber':4");
        Run run = status();
        assertThat(run.out()).contains("  no majority of the voters n3, n4, n5 is known to be connected: start");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void aNodeThatKnowsNoListHasNoOlderOne() {
        allAreWell();
        three.status("n3", "JOINING", "", "", ",'votersNumber':0");
        assertThat(status().out()).endsWith("DEGRADED\n  n3 is JOINING: why\n");
    }

    // The lists of two clusters have nothing to do with each other.
    @Test
    void listsOfDifferentClustersAreNotCompared() {
        allAreWell();
        two.answer(
                "/status",
                200,
                "{'node':'n2','cluster':'d','state':'UP','reason':'','voters':[" + VOTERS
                        + "],'votersNumber':2,'supporters':[" + VOTERS + "],'leads':[]}");
        assertThat(status().out()).endsWith("DEGRADED\n  the nodes are of different clusters: c, d\n");
    }

    @Test
    void noMajorityIsWorseThanDegraded() {
        one.status("n1", "DISCONNECTED", VOTERS, "'n1'", "");
        Run run = Run.of("status", "--url", one.url(), "--url", FakeNode.nobody());
        assertThat(run.out())
                .contains("NO_MAJORITY\n  no majority of the voters n1, n2, n3 is known to be connected: start");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void nobodyAnswersIsNoMajority() {
        Run run = Run.of("status", "--url", FakeNode.nobody());
        assertThat(run.out()).contains("NO_MAJORITY\n  no node answers\n").contains("cannot be reached");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void addressesComeFromTheEnvironment() {
        allAreWell();
        Map<String, String> environment = Map.of("QUORATE_URLS", one.url() + ", " + two.url() + "," + one.url() + "/");
        Run run = Run.of(Run.NONE, environment, "status");
        assertThat(run.out().lines().filter(line -> line.startsWith("n1 "))).hasSize(1);
        assertThat(run.out()).contains("n2    yes    STANDBY");
        assertThat(one.requests()).containsExactly("GET /status");
    }

    // What a node says must not move the cursor, nor look like another row.
    @Test
    void controlCharactersAreShownAsEscapes() {
        one.status("n1\\u001b[2J\\nn2", "UP", "'n1'", "'n1'", "");
        Run run = Run.of("status", "--url", one.url());
        assertThat(run.out()).contains("n1\\u001b[2J\\u000an2").doesNotContain("\u001b");
    }

    @Test
    void watchingRepeatsUntilItIsInterrupted() throws InterruptedException {
        allAreWell();
        StringWriter out = new StringWriter();
        AtomicInteger exitCode = new AtomicInteger(-1);
        Thread watching = new Thread(() -> exitCode.set(Run.commandLine(Run.NONE, Map.of(), out, new StringWriter())
                .execute("status", "-w", "--interval", "1ms", "-o", "json", "--url", one.url())));
        watching.start();
        await().atMost(Duration.ofMinutes(10))
                .until(() -> out.toString().lines().count() >= 3);
        watching.interrupt();
        watching.join();
        assertThat(exitCode.get()).isEqualTo(1);
        assertThat(out.toString().lines()).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
    }

    // A screen is cleared, a file is not.
    @Test
    void aTerminalIsCleared() throws InterruptedException {
        allAreWell();
        StringWriter out = new StringWriter();
        Thread watching = new Thread(() -> Run.commandLine(new Run.Somebody(""), Map.of(), out, new StringWriter())
                .execute("status", "-w", "--interval", "1h", "--url", one.url()));
        watching.start();
        await().atMost(Duration.ofMinutes(10)).until(() -> out.toString().contains("HEALTHY"));
        watching.interrupt();
        watching.join();
        assertThat(out.toString()).startsWith("\u001b[H\u001b[2JNODE");
    }
}
