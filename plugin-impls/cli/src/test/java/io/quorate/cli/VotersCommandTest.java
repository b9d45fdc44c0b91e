package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.runtime.StoredVoters;
import io.quorate.testkit.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of {@code voters} and {@code voters force}. */
class VotersCommandTest {

    private static final String TOKEN = "0123456789abcdef+/==";
    private static final String CHANGE = "POST /voters?number=7&voters=n1%2Cn4%3Dh%3A1 Bearer " + TOKEN;

    @TempDir
    private Path directory;

    private final FakeNode one = new FakeNode();
    private final FakeNode two = new FakeNode();

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private static String voters(String node, long number, String... ids) {
        List<String> voters = Arrays.stream(ids)
                .map(id -> "{'id':'" + id + "','address':null}")
                .toList();
        return "{'node':'" + node + "','number':" + number + ",'voters':[" + String.join(",", voters) + "]}";
    }

    private Run run(Terminal terminal, String... arguments) throws IOException {
        Path token = Files.writeString(directory.resolve("token"), TOKEN + "\n");
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--url", one.url(), "--url", two.url()));
        return Run.of(terminal, Map.of("QUORATE_TOKEN_FILE", token.toString()), all.toArray(String[]::new));
    }

    // ---------------------------------------------------------------- who votes

    @Test
    void theNewestListIsShownAndWhoKnowsAnother() throws IOException {
        one.answer("/voters", 200, voters("n1", 7, "n1", "n2"));
        two.answer("/voters", 200, voters("n2", 8, "n1", "n2", "n3"));
        Run run = run(Run.NONE, "voters");
        assertThat(run.out()).isEqualTo("number 8: n1, n2, n3\n  n1: number 7: n1, n2\n");
        assertThat(run.exitCode()).isZero();
        two.answer("/voters", 200, voters("n2", 7, "n1", "n2"));
        assertThat(run(Run.NONE, "voters").out()).isEqualTo("number 7: n1, n2\n");
        two.answer("/voters", 200, voters("n2", 0));
        assertThat(run(Run.NONE, "voters").out()).isEqualTo("number 7: n1, n2\n  n2: knows of no list yet\n");
    }

    @Test
    void whereNobodyKnowsAListThatIsSaid() throws IOException {
        one.answer("/voters", 200, voters("n1", 0));
        Run run = run(Run.NONE, "voters");
        assertThat(run.out())
                .isEqualTo("no node is known to know who votes\n  n1: knows of no list yet\n  " + two.url()
                        + ": answers 404: unknown endpoint: there are /live\n");
        assertThat(run.exitCode()).isEqualTo(2);
        Run change = run(Run.NONE, "voters", "n1", "--force");
        assertThat(change.err()).startsWith("quorate voters: no node is known to know who votes; " + one.url());
        assertThat(change.exitCode()).isEqualTo(2);
    }

    // ---------------------------------------------------------------- changes

    /** The second node is the only voter at an address, and answers the change so, one answer for each request. */
    private void answers(String... answers) {
        one.answer("/voters", 200, voters("guest", 7, "n1", "n2"));
        AtomicInteger posts = new AtomicInteger();
        two.handle("/voters", exchange -> {
            boolean isChange = exchange.getRequestMethod().equals("POST");
            String answer = isChange ? answers[posts.getAndIncrement()] : "200 " + voters("n2", 7, "n1", "n2");
            byte[] body = answer.substring(4).replace('\'', '"').getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, 3)), body.length);
            exchange.getResponseBody().write(body);
        });
    }

    private List<String> posts() {
        return two.requests().stream()
                .filter(request -> request.startsWith("POST"))
                .toList();
    }

    @Test
    void aVoterIsAskedUntilTheChangeHasEnded() throws IOException {
        answers("504 {'error':'late'}", "504 {'error':'late'}", "200 " + voters("n2", 9, "n1", "n4"));
        Run.Somebody somebody = new Run.Somebody("y");
        Run run = run(somebody, "voters", "n1", "n4=h:1");
        assertThat(somebody.questions()).containsExactly("Have n1, n4=h:1 vote in place of number 7: n1, n2? [y/N] ");
        assertThat(run.out()).isEqualTo("number 9: n1, n4\n");
        assertThat(run.err()).isEqualTo("\rwaiting for n1,n4=h:1 in place of number 7: 0 s".repeat(2) + "\n");
        assertThat(run.exitCode()).isZero();
        assertThat(posts()).containsExactly(CHANGE, CHANGE, CHANGE);
        assertThat(one.requests()).containsExactly("GET /voters");
    }

    // Whoever answers at a wrong address, or in the place of a node that is down, may say any number.
    @Test
    void anAddressThatKnowsMoreThanAllOthersIsNotShownTheToken() throws IOException {
        answers("200 " + voters("n2", 9, "n1", "n4"));
        try (FakeNode impostor = new FakeNode()) {
            impostor.answer("/voters", 200, voters("n1", 1_000_000, "n1"));
            Run run = run(Run.NONE, "voters", "n1", "n4=h:1", "--force", "--url", impostor.url());
            assertThat(run.out()).isEqualTo("number 9: n1, n4\n");
            assertThat(posts()).containsExactly(CHANGE);
            assertThat(impostor.requests()).containsExactly("GET /voters");
        }
    }

    @Test
    void whereTheAddressesDoNotAgreeNobodyIsShownTheToken() throws IOException {
        one.answer("/voters", 200, voters("n1", 1_000_000, "n1"));
        for (int number : List.of(0, 7)) {
            two.answer("/voters", 200, voters("n2", number, "n1", "n2"));
            Run run = run(Run.NONE, "voters", "n1", "--force");
            assertThat(run.err())
                    .startsWith("quorate voters: no list is that of more than half of the addresses, so the token is"
                            + " not sent; ask again, or give the one --url that you trust; " + one.url()
                            + ": number 1000000: n1; " + two.url());
            assertThat(run.exitCode()).isEqualTo(1);
        }
        two.close();
        assertThat(run(Run.NONE, "voters", "n1", "--force").exitCode()).isEqualTo(1);
        assertThat(one.requests()).allMatch("GET /voters"::equals);
    }

    @Test
    void outputHasTheNodesRefusal() throws IOException {
        answers("409 {'error':'number 8: [n1] is in force, and [n1, n4] is not: n4 has no dataDirectory'}");
        Run run = run(Run.NONE, "voters", "n1", "n4=h:1", "--force");
        assertThat(run.err())
                .isEqualTo("quorate voters: " + two.url() + ": answers 409: number 8: [n1] is in force, and [n1, n4] is"
                        + " not: n4 has no dataDirectory\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void aChangeThatDoesNotEndIsNotWaitedForForEver() throws IOException {
        String[] late = new String[100_000];
        Arrays.fill(late, "504 {'error':'late'}");
        answers(late);
        Run run = run(Run.NONE, "voters", "n1", "n4=h:1", "--force", "--wait", "100ms");
        assertThat(run.err())
                .isEqualTo("quorate voters: the change has not ended after 100 ms, and may go on: ask again with the"
                        + " same list\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void whereTheAnswerIsLostTheChangeMayGoOn() throws IOException {
        one.answer("/voters", 200, voters("guest", 7, "n1", "n2"));
        two.handle("/voters", exchange -> {
            if (exchange.getRequestMethod().equals("GET")) {
                byte[] body = voters("n2", 7, "n1", "n2").replace('\'', '"').getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        Run run = run(Run.NONE, "voters", "n1", "n4=h:1", "--force");
        assertThat(run.err())
                .startsWith("quorate voters: " + two.url() + ": the connection broke")
                .endsWith("; the change may go on: ask again with the same list\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void withoutAYesOrATokenNothingIsChanged() throws IOException {
        answers();
        assertThat(run(new Run.Somebody("n"), "voters", "n1").err()).isEqualTo("quorate voters: nothing is changed\n");
        assertThat(run(Run.NONE, "voters", "n1").exitCode()).isEqualTo(64);
        assertThat(Run.of("voters", "n1", "--force", "--url", two.url()).err()).contains("give --token-file FILE");
        assertThat(posts()).isEmpty();
    }

    // ---------------------------------------------------------------- force

    private ElectionClient client(String id, String peers, boolean joins) {
        return client("shop", id, peers, joins);
    }

    private ElectionClient client(String cluster, String id, String peers, boolean joins) {
        ElectionClient client = ElectionClient.builder()
                .clusterId(cluster)
                .nodeId(id)
                .peers(peers)
                .joins(joins)
                .transport("tcp")
                .dataDirectory(directory.resolve(id))
                .build();
        client.start();
        return client;
    }

    /** The directories of two nodes that vote under number 2, and where the second one is reached. */
    private void makeDirectories() throws Exception {
        String first = "n1=127.0.0.1:" + FreePorts.take();
        String second = "n2=127.0.0.1:" + FreePorts.take();
        try (ElectionClient n1 = client("n1", first, false);
                ElectionClient n2 = client("n2", first + "," + second, true)) {
            n2.blockUntilConnected();
            n1.changeVoters(1, "n1", second).toCompletableFuture().get(600, TimeUnit.SECONDS);
            Run locked = force(new Run.Somebody("shop"), "n2", "n2", "7");
            assertThat(locked.err()).contains("is locked by another process");
            assertThat(locked.exitCode()).isEqualTo(1);
        }
    }

    private Run force(Terminal terminal, String node, String voters, String floor) {
        return Run.of(
                terminal,
                Map.of(),
                "voters",
                "force",
                directory.resolve(node).toString(),
                "--voters",
                voters,
                "--floor",
                floor);
    }

    private String stored(String node) throws IOException {
        try (StoredVoters stored = StoredVoters.open(directory.resolve(node))) {
            return stored.voters().toString();
        }
    }

    @Test
    void aListIsForcedOnAStoppedNodeByWhoeverTypesTheCluster() throws Exception {
        makeDirectories();
        for (String answer : Arrays.asList("", "y", "shopping", null)) {
            Run run = force(new Run.Somebody(answer), "n2", "n2", "7");
            assertThat(run.err())
                    .isEqualTo("The directory of node n2 holds number 2: n1, n2.\nONLY if every other voter (n1) is"
                            + " stopped and will NEVER start again with its directory: otherwise there WILL be two"
                            + " leaders.\nThe resource must accept tokens above 7.\nquorate voters force: wrong id of the"
                            + " cluster: nothing is changed\n");
            assertThat(run.exitCode()).isEqualTo(1);
        }
        Run nobody = force(Run.NONE, "n2", "n2", "7");
        assertThat(nobody.err()).contains("there is no terminal to ask at, and this is not done without a question");
        assertThat(nobody.exitCode()).isEqualTo(64);
        Run.Somebody somebody = new Run.Somebody("shop");
        for (String wrong : new String[] {"n1", "n2,n3", "n2,n2"}) {
            Run run = force(somebody, "n2", wrong, "7");
            assertThat(run.err()).contains("must").contains("vote");
            assertThat(run.exitCode()).isEqualTo(64);
        }
        assertThat(force(somebody, "n2", "n2", "-1").err()).contains("floor -1: must be from 0 to 1152921504606846976");
        assertThat(stored("n2")).isEqualTo("number 2: [n1, n2]");

        Run run = force(somebody, "n2", "n2", "7");
        assertThat(run.out()).isEqualTo("number 1000002: n2; start node n2 first\n");
        assertThat(run.exitCode()).isZero();
        assertThat(somebody.questions()).endsWith("Type the id of the cluster to have n2 vote: ");
        assertThat(stored("n2")).isEqualTo("number 1000002: [n2]");
    }

    private Run adopt(String node, String from) {
        return Run.of(
                Run.NONE,
                Map.of(),
                "voters",
                "adopt",
                directory.resolve(node).toString(),
                "--from",
                directory.resolve(from).toString());
    }

    // The help, the document and what happens agree on the exit codes.
    @Test
    void adoptEndsAsItsHelpSays() throws Exception {
        makeDirectories();
        try (ElectionClient stranger = client("other", "n9", "n9=127.0.0.1:" + FreePorts.take(), false)) {
            stranger.blockUntilConnected();
            stranger.changeVoters(1, "n9").toCompletableFuture().get(600, TimeUnit.SECONDS);
        }
        assertThat(Run.of("voters", "adopt", "--help").out().replaceAll("\\s+", " "))
                .contains(
                        "Ends with 0 if it is written, 1 if a directory cannot be used, 64 if its cluster or list does"
                                + " not fit.");
        assertThat(Files.readString(Path.of("..", "..", "plugin-api", "docs", "command-line.md"))
                        .replaceAll("\\s+", " "))
                .contains(
                        "| `voters adopt` | it is written | a directory can't be used | |",
                        "For `voters adopt`, a directory of another cluster and a list that isn't newer are wrong"
                                + " arguments.");
        Run other = adopt("n1", "n9");
        assertThat(other.err()).contains("cluster 'other': must be 'shop'");
        assertThat(other.exitCode()).isEqualTo(64);
        assertThat(adopt("n1", "n2").exitCode()).as("not a later list").isEqualTo(64);
        assertThat(adopt("n1", "nothing").exitCode()).isEqualTo(1);
        assertThat(adopt("n1", "n1").exitCode()).as("locked").isEqualTo(1);
    }

    @Test
    void adoptCopiesALaterListOnly() throws Exception {
        makeDirectories();
        Run same = adopt("n1", "n2");
        assertThat(same.err()).contains("number 2: must be above 2");
        assertThat(same.exitCode()).isEqualTo(64);
        assertThat(force(new Run.Somebody("shop"), "n2", "n2", "7").exitCode()).isZero();
        Run run = adopt("n1", "n2");
        assertThat(run.out()).isEqualTo("node n1 goes by number 1000002: n2 from its next start on\n");
        assertThat(run.exitCode()).isZero();
        assertThat(stored("n1")).isEqualTo("number 1000002: [n2]");
        assertThat(adopt("n2", "n1").exitCode()).isEqualTo(64);
        assertThat(adopt("n1", "nothing").err()).contains("quorate.term: is missing");
        assertThat(adopt("n1", "n1").err()).contains("is locked by another process");
    }

    @Test
    void aDirectoryWithoutAListIsLeftAlone() throws Exception {
        Run none = force(new Run.Somebody("shop"), "nothing", "n1", "7");
        assertThat(none.err()).contains("quorate.term: is missing. Name the data directory of a node that has voted");
        assertThat(directory.resolve("nothing")).doesNotExist();
        client("n1", "n1=127.0.0.1:" + FreePorts.take(), false).close();
        Run first = force(new Run.Somebody("shop"), "n1", "n1", "7");
        assertThat(first.err())
                .contains(
                        "has no list of voters, because the list of the settings was never changed. Stop all nodes, and"
                                + " start them with another list in the settings");
        assertThat(first.exitCode()).isEqualTo(1);
    }
}
