package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of {@code transfer}, {@code standby} and {@code priority}. */
class ChangesTest {

    private static final String TOKEN = "0123456789abcdef+/==";

    @TempDir
    private Path directory;

    private Path tokenFile;
    private final FakeNode one = new FakeNode();
    private final FakeNode two = new FakeNode();

    @BeforeEach
    void writeToken() throws IOException {
        tokenFile = Files.writeString(directory.resolve("token"), TOKEN + "\n");
        one.status("n1", "UP", "'n1','n2'", "'n1','n2'", "");
        two.status("n2", "UP", "'n1','n2'", "'n1','n2'", "");
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private Run run(Terminal terminal, String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--url", one.url(), "--url", two.url()));
        Map<String, String> environment = Map.of("QUORATE_TOKEN_FILE", tokenFile.toString());
        return Run.of(terminal, environment, all.toArray(String[]::new));
    }

    private static void assertChangedNothing(FakeNode... nodes) {
        for (FakeNode node : nodes) {
            assertThat(node.requests()).allMatch(request -> request.startsWith("GET ") && !request.contains(TOKEN));
        }
    }

    // ---------------------------------------------------------------- transfer

    private void oneLeads() {
        one.leads("a", "n1", 7);
        two.follows("a", "n1", 7);
    }

    /** The leader hands over when it is asked to. */
    private void oneHandsOver(int status) {
        oneLeads();
        one.handle("/transfer", exchange -> {
            one.follows("b", "n2", 8);
            two.leads("b", "n2", 8);
            byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        });
    }

    @Test
    void theLeaderIsFoundAndAskedWithTheToken() {
        oneHandsOver(200);
        Run.Somebody somebody = new Run.Somebody(" Y ");
        Run run = run(somebody, "transfer", "/p", "b");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("b on n2 leads /p with token 8\n");
        assertThat(run.exitCode()).isZero();
        assertThat(somebody.questions()).containsExactly("Hand /p from a on n1 to b? [y/N] ");
        assertThat(one.requests()).contains("POST /transfer?path=%2Fp&to=b Bearer " + TOKEN);
        assertChangedNothing(two);
    }

    @Test
    void aLateSuccessorIsWaitedFor() {
        oneHandsOver(504);
        Run run = run(Run.NONE, "transfer", "/p", "b", "--force");
        assertThat(run.out()).isEqualTo("b on n2 leads /p with token 8\n");
        assertThat(run.exitCode()).isZero();
    }

    // On a busy machine the wait may be over before the first progress is shown, but not each time.
    @Test
    void aSuccessorThatNeverLeadsIsSaid() {
        oneLeads();
        one.answer("/transfer", 504, "{'error':'late'}");
        Run.Somebody somebody = new Run.Somebody("y");
        Run run = run(somebody, "transfer", "/p", "b", "--wait", "600ms");
        for (int round = 1; round < 100 && !run.err().startsWith("\rwaiting"); round++) {
            run = run(somebody, "transfer", "/p", "b", "--wait", "600ms");
        }
        assertThat(run.err())
                .startsWith("\rwaiting for b: ")
                .endsWith(" s\nquorate transfer: 'b' does not lead /p after 600 ms; it may still come to that\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void outputNamesWhatTheSuccessorWaitsFor() {
        oneLeads();
        one.answer(
                        "/leader",
                        200,
                        "{'node':'n1','path':'/p','leads':true,'leader':{'id':'a','node':'n1'},'token':7,"
                                + "'reason':'it leads','leaving':'its work is being finished'}")
                .answer("/transfer", 504, "{'error':'late'}");
        Run run = run(Run.NONE, "transfer", "/p", "b", "--wait", "600ms", "--force");
        assertThat(run.err())
                .isEqualTo("quorate transfer: 'b' does not lead /p after 600 ms; it may still come to that: "
                        + "a on n1 leads on, and its work is being finished\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    // A file would only fill with it.
    @Test
    void withoutATerminalNoProgressIsShown() {
        oneLeads();
        one.answer("/transfer", 504, "{'error':'late'}");
        Run run = run(Run.NONE, "transfer", "/p", "b", "--wait", "600ms", "--force");
        assertThat(run.err()).startsWith("quorate transfer: 'b' does not lead");
    }

    @Test
    void outputHasTheNodesRefusal() {
        oneLeads();
        one.answer("/transfer", 409, "{'error':'the node of b is not up'}");
        Run run = run(Run.NONE, "transfer", "/p", "b", "--force");
        assertThat(run.err()).isEqualTo("quorate transfer: " + one.url() + ": answers 409: the node of b is not up\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void aLeaderThatIsAtNoAddressIsSaid() {
        one.follows("c", "n3", 9);
        two.knowsNobody();
        Run run = run(Run.NONE, "transfer", "/p", "b", "--force");
        assertThat(run.err()).contains("c on n3 leads /p, and its node is at no --url that answers");
        assertThat(run.exitCode()).isEqualTo(2);
        assertChangedNothing(one, two);
    }

    @Test
    void withoutALeaderNothingIsTransferred() {
        one.knowsNobody();
        Run run = run(Run.NONE, "transfer", "/p", "b", "--force");
        assertThat(run.err())
                .contains("no leader is known for /p; " + one.url() + ": it waits for votes; " + two.url());
        assertThat(run.exitCode()).isEqualTo(2);
    }

    // Whoever answers at a wrong address, or in the place of a node that is down, may say any token.
    @Test
    void anAddressThatNamesALeaderOfItsOwnIsNotShownTheToken() {
        oneHandsOver(200);
        try (FakeNode impostor = new FakeNode()) {
            impostor.leads("a", "n1", 99);
            Run run = run(Run.NONE, "transfer", "/p", "b", "--force", "--url", impostor.url());
            assertThat(run.out()).isEqualTo("b on n2 leads /p with token 8\n");
            assertThat(one.requests()).contains("POST /transfer?path=%2Fp&to=b Bearer " + TOKEN);
            assertChangedNothing(two, impostor);
        }
    }

    @Test
    void aLeaderThatNobodyElseNamesIsNotShownTheToken() {
        one.leads("a", "n1", 99);
        for (Runnable other : List.<Runnable>of(
                () -> two.knowsNobody(), () -> two.answer("/leader", 404, "{'error':'no'}"), two::close)) {
            other.run();
            Run run = run(Run.NONE, "transfer", "/p", "b", "--force");
            assertThat(run.err())
                    .startsWith("quorate transfer: more than half of the addresses do not name one leader of /p, so the"
                            + " token is not sent; ask again, or give the one --url that you trust; ");
            assertThat(run.exitCode()).isEqualTo(1);
        }
        assertChangedNothing(one, two);
    }

    // Everybody may ask the leader, and repeat its answer.
    @Test
    void ofTwoAddressesThatSayTheSameOfThemselvesNoneIsShownTheToken() {
        one.leads("a", "n1", 7);
        two.leads("a", "n1", 7);
        Run run = run(Run.NONE, "transfer", "/p", "b", "--force");
        assertThat(run.err())
                .startsWith("quorate transfer: 2 addresses say that they lead /p, so the token is not sent");
        assertThat(run.exitCode()).isEqualTo(1);
        two.status("n1", "UP", "'n1','n2'", "'n1','n2'", "");
        Run standby = run(Run.NONE, "standby", "n1", "on", "--force");
        assertThat(standby.err())
                .startsWith("quorate standby: 2 addresses say that they are 'n1', so the token is not sent");
        assertThat(standby.exitCode()).isEqualTo(1);
        assertChangedNothing(one, two);
    }

    // ---------------------------------------------------------------- priority

    @Test
    void theNodeIsGivenAnotherPriority() {
        two.answer("/priority", 200, "{'priority':-5}");
        Run.Somebody somebody = new Run.Somebody("y");
        Run run = run(somebody, "priority", "n2", "--", "-5");
        assertThat(run.exitCode()).isEqualTo(64);
        run = run(somebody, "priority", "n2", "7");
        assertThat(run.out()).isEqualTo("n2 has priority 7\n");
        assertThat(run.exitCode()).isZero();
        assertThat(somebody.questions()).containsExactly("Give n2 priority 7? [y/N] ");
        assertThat(two.requests()).contains("POST /priority?value=7 Bearer " + TOKEN);
        assertChangedNothing(one);
        assertThat(run(Run.NONE, "priority", "n2", "7", "--force", "-o", "json").out())
                .isEqualTo("{\"node\":\"n2\",\"priority\":7}\n");
        assertThat(run(Run.NONE, "priority", "n2", "high", "--force").err()).contains("'high' is not an int");
    }

    // ---------------------------------------------------------------- standby

    @Test
    void theNodeIsFoundAndPutOnStandby() {
        two.answer("/standby", 200, "{'standby':true}");
        Run run = run(Run.NONE, "standby", "n2", "on", "--force");
        assertThat(run.out()).isEqualTo("n2 is on standby\n");
        assertThat(run.exitCode()).isZero();
        assertThat(two.requests()).contains("POST /standby?on=true Bearer " + TOKEN);
        assertChangedNothing(one);
        assertThat(run(Run.NONE, "standby", "n2", "OFF", "--force").out()).isEqualTo("n2 is not on standby\n");
        assertThat(two.requests()).contains("POST /standby?on=false Bearer " + TOKEN);
    }

    // Anyone may listen at the address of a node that is stopped. The others do not hear the node, and say so.
    @Test
    void anImpostorAtTheAddressOfAStoppedNodeIsNotShownTheToken() {
        one.status("n1", "UP", "'n1','n2'", "'n1'", ",'hears':['n1']");
        for (List<String> command : List.of(List.of("standby", "n2", "on"), List.of("priority", "n2", "7"))) {
            List<String> all = new ArrayList<>(command);
            all.add("--force");
            Run run = run(Run.NONE, all.toArray(String[]::new));
            assertThat(run.err())
                    .startsWith("quorate " + command.get(0) + ": " + two.url() + " says that it is 'n2', and more than"
                            + " half of the addresses do not confirm that they hear that voter, so the token is not sent;"
                            + " ask again, or give the one --url that you trust; ");
            assertThat(run.exitCode()).isEqualTo(1);
        }
        assertChangedNothing(one, two);
    }

    @Test
    void aNodeThatIsHeardWithoutItsSupportIsFound() {
        two.answer("/standby", 200, "{'standby':true}");
        one.status("n1", "UP", "'n1','n2'", "'n1'", ",'hears':['n1','n2']");
        assertThat(run(Run.NONE, "standby", "n2", "on", "--force").out()).isEqualTo("n2 is on standby\n");
    }

    @Test
    void aNodeThatOffersNoChangesIsSaid() {
        Run run = run(Run.NONE, "standby", "n2", "on", "--force");
        assertThat(run.err())
                .isEqualTo("quorate standby: " + two.url() + ": answers 404: unknown endpoint: there are /live\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void anUnknownNodeIsSaid() {
        Run run = run(Run.NONE, "standby", "n3", "on", "--force");
        assertThat(run.err())
                .isEqualTo("quorate standby: no --url is of node 'n3': " + one.url() + " is n1; " + two.url()
                        + " is n2\n");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    // ---------------------------------------------------------------- both

    @Test
    void changeNeedsAYes() {
        oneLeads();
        for (String answer : Arrays.asList("", "n", "yesterday", null)) {
            Run run = run(new Run.Somebody(answer), "transfer", "/p", "b");
            assertThat(run.err()).isEqualTo("quorate transfer: nothing is changed\n");
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run(new Run.Somebody(answer), "standby", "n1", "on").exitCode())
                    .isEqualTo(1);
        }
        assertChangedNothing(one, two);
    }

    @Test
    void withoutATerminalItIsRefused() {
        oneLeads();
        Run run = run(Run.NONE, "transfer", "/p", "b");
        assertThat(run.err())
                .isEqualTo("quorate transfer: there is no terminal to ask at: give --force to change it without a"
                        + " question\n");
        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run(Run.NONE, "standby", "n1", "on").exitCode()).isEqualTo(64);
        assertChangedNothing(one, two);
    }

    @Test
    void withoutATokenItIsRefused() throws IOException {
        Run none = Run.of("standby", "n1", "on", "--force", "--url", one.url());
        assertThat(none.err()).contains("give --token-file FILE, or QUORATE_TOKEN_FILE");
        assertThat(none.exitCode()).isEqualTo(64);

        Path secret = Files.writeString(directory.resolve("other"), "top secret, with spaces in it");
        Run wrong = run(Run.NONE, "standby", "n1", "on", "--force", "--token-file", secret.toString());
        assertThat(wrong.err())
                .contains("--token-file '" + secret + "': must be one line of 16 or more letters")
                .doesNotContain("top secret");
        assertThat(wrong.exitCode()).isEqualTo(64);

        Run missing = run(Run.NONE, "standby", "n1", "on", "--force", "--token-file", directory + "/none");
        assertThat(missing.err()).contains("cannot be read");

        Path long16 = Files.writeString(directory.resolve("long"), "x".repeat(4097));
        Run tooLong = run(Run.NONE, "standby", "n1", "on", "--force", "--token-file", long16.toString());
        assertThat(tooLong.err()).contains("'" + long16 + "': is longer than 4096 bytes: must be another file");
        assertChangedNothing(one);
    }

    // Anybody on the way could read it, and change whatever it allows.
    @Test
    void theTokenIsSentOverHttpsOrWithinThisMachineAlone() {
        assertThat(Url.of("https://10.0.0.1:1").isFitForToken()).isTrue();
        assertThat(Url.of("http://127.0.0.2:1").isFitForToken()).isTrue();
        assertThat(Url.of("http://[::1]:1").isFitForToken()).isTrue();
        assertThat(Url.of("http://localhost:1").isFitForToken()).isTrue();
        assertThat(Url.of("http://10.0.0.1:1").isFitForToken()).isFalse();
        assertThat(Url.of("http://0.0.0.0:1").isFitForToken()).isFalse();
        assertThat(Url.of("http://127.0.0.1.example.com:1").isFitForToken()).isFalse();
        assertThat(Url.of("http://localhost.example.com:1").isFitForToken()).isFalse();
    }

    @Test
    void theTokenIsNotSentInTheClear() {
        // All addresses of this machine lead to the node, and this one is no loopback address by its name.
        String open = one.url().replace("127.0.0.1", "0.0.0.0");
        Run run = Run.of(
                Run.NONE,
                Map.of("QUORATE_TOKEN_FILE", tokenFile.toString()),
                "standby",
                "n1",
                "on",
                "--force",
                "--url",
                open);
        assertThat(run.err()).contains("--url " + open + ": the token is sent to https, or to http://127.0.0.1");
        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(one.requests()).containsExactly("GET /status");
    }
}
