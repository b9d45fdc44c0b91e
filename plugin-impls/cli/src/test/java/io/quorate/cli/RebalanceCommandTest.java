package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The endpoints are made up: who leads what is a table, which {@code /transfer} changes. */
class RebalanceCommandTest {

    private static final String TOKEN = "0123456789abcdef";
    /** How often a busy machine may be late. */
    private static final int ROUNDS_MAX = 100;

    @TempDir
    private Path directory;

    private Path tokenFile;
    private final Map<String, FakeNode> nodes = new TreeMap<>();
    /** The node that leads each path. */
    private final Map<String, String> leaders = new TreeMap<>();

    private final Map<String, Integer> tokens = new TreeMap<>();
    private final AtomicInteger nextToken = new AtomicInteger(10);
    /** The contenders of each path, best rank first. */
    private List<String> ranks = List.of("n1", "n2", "n3");

    private volatile Runnable onTransfer = () -> {};
    private String idPrefix = "latch of ";

    @BeforeEach
    void open() throws IOException {
        tokenFile = Files.writeString(directory.resolve("token"), TOKEN + "\n");
        for (String name : List.of("n1", "n2", "n3")) {
            FakeNode node = new FakeNode();
            node.handle("/led", exchange -> send(exchange, 200, led(name, exchange)));
            node.handle("/leader", exchange -> leader(name, exchange));
            node.handle("/transfer", exchange -> transfer(name, exchange));
            nodes.put(name, node);
        }
    }

    @AfterEach
    void close() {
        nodes.values().forEach(FakeNode::close);
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static String parameter(HttpExchange exchange, String name) {
        return Arrays.stream(exchange.getRequestURI().getQuery().split("&"))
                .filter(each -> each.startsWith(name + "="))
                .map(each -> each.substring(name.length() + 1).replace('+', ' '))
                .findFirst()
                .orElse("");
    }

    private String id(String node) {
        return idPrefix.isEmpty() ? "" : idPrefix + node;
    }

    private synchronized void leads(String node, String... paths) {
        for (String path : paths) {
            leaders.put(path, node);
            tokens.put(path, nextToken.incrementAndGet());
        }
    }

    /** Three in each answer, so that a test with more sees several. */
    private synchronized String led(String node, HttpExchange exchange) {
        String after = parameter(exchange, "after");
        List<String> rest = leaders.keySet().stream()
                .filter(path -> leaders.get(path).equals(node) && path.compareTo(after) > 0)
                .toList();
        List<String> page = rest.subList(0, Math.min(3, rest.size()));
        return "{'node':'" + node + "','paths':["
                + page.stream()
                        .map(path -> "{'path':'" + path + "','token':" + tokens.get(path) + ",'contenders':["
                                + ranks.stream()
                                        .map(each -> "{'id':'" + id(each) + "','node':'" + each + "','leader':"
                                                + each.equals(node) + ",'rank':" + (ranks.indexOf(each) + 1) + "}")
                                        .collect(Collectors.joining(","))
                                + "]}")
                        .collect(Collectors.joining(","))
                + "],'next':" + (rest.size() > 3 ? "'" + page.get(2) + "'" : "null") + "}";
    }

    private synchronized void leader(String node, HttpExchange exchange) throws IOException {
        String path = parameter(exchange, "path");
        String leader = leaders.get(path);
        boolean leads = node.equals(leader);
        send(
                exchange,
                leads ? 200 : 503,
                "{'node':'" + node + "','path':'" + path + "','leads':" + leads + ",'leader':{'id':'" + id(leader)
                        + "','node':'" + leader + "'},'token':" + tokens.get(path) + ",'reason':'so it is'}");
    }

    private void transfer(String node, HttpExchange exchange) throws IOException {
        onTransfer.run();
        synchronized (this) {
            String path = parameter(exchange, "path");
            assertThat(leaders).containsEntry(path, node);
            leads(parameter(exchange, "to").replace(idPrefix, ""), path);
        }
        send(exchange, 200, "{}");
    }

    private Run run(Terminal terminal, String... arguments) {
        List<String> all = new ArrayList<>(List.of("rebalance"));
        all.addAll(Arrays.asList(arguments));
        nodes.values().forEach(node -> all.addAll(List.of("--url", node.url())));
        return Run.of(terminal, Map.of("QUORATE_TOKEN_FILE", tokenFile.toString()), all.toArray(String[]::new));
    }

    private long transfers() {
        return nodes.values().stream()
                .flatMap(node -> node.requests().stream())
                .filter(request -> request.startsWith("POST /transfer"))
                .count();
    }

    // ---------------------------------------------------------------- plans

    @Test
    void aDryRunShowsThePlanAndNeedsNoToken() {
        leads("n1", "/a", "/b", "/c", "/d");
        leads("n2", "/e");
        List<String> arguments = new ArrayList<>(List.of("rebalance", "--dry-run"));
        nodes.values().forEach(node -> arguments.addAll(List.of("--url", node.url())));
        Run run = Run.of(arguments.toArray(String[]::new));
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .isEqualTo(
                        """
                PATH  FROM               TO                 WHY
                /a    latch of n1 on n1  latch of n3 on n3  n1 leads 4, n3 0
                /b    latch of n1 on n1  latch of n2 on n2  n1 leads 4, n2 1
                NODE  LEADS  THEN
                n1    4      2
                n2    1      2
                n3    0      1
                """);
        assertThat(run.exitCode()).isZero();
        assertThat(transfers()).isZero();
    }

    @Test
    void leadersMoveToWhomRanksBest() {
        ranks = List.of("n2", "n3", "n1");
        leads("n1", "/a");
        leads("n2", "/b");
        Run run = run(Run.NONE, "--by", "priority", "--force");
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("/a    latch of n1 on n1  latch of n2 on n2  latch of n2 on n2 ranks best")
                .endsWith("/a: latch of n1 on n1 to latch of n2 on n2, token 13\nmoved 1 path\n");
        assertThat(run.exitCode()).isZero();
        assertThat(leaders).containsValues("n2").doesNotContainValue("n1");
        assertThat(run(Run.NONE, "--by", "priority", "--force").out()).endsWith("nothing to move\n");
    }

    // Several answers for one node, and a bar where somebody looks.
    @Test
    void manyPathsAreSpreadSideBySide() {
        for (int i = 0; i < 30; i++) {
            leads("n1", "/path" + i);
        }
        Run.Somebody somebody = new Run.Somebody("y");
        Run run = run(somebody, "--parallel", "4");
        assertThat(somebody.questions()).containsExactly("Move 20 of 30 paths? [y/N] ");
        assertThat(run.err()).endsWith("\r[##############################] 20 of 20\n");
        assertThat(run.out()).endsWith("moved 20 paths\n").doesNotContain("token");
        assertThat(leaders.values().stream().collect(Collectors.groupingBy(node -> node, Collectors.counting())))
                .isEqualTo(Map.of("n1", 10L, "n2", 10L, "n3", 10L));
        assertThat(transfers()).isEqualTo(20);
    }

    @Test
    void onlyPathsThatMatchAreMoved() {
        leads("n1", "/jobs/a", "/jobs/b", "/jobs/deep/c", "/other/d", "/other/e");
        Run run = run(Run.NONE, "--paths", "/jobs/*", "--force");
        assertThat(run.out()).contains("moved 1 path").doesNotContain("/other", "/deep");
        assertThat(leaders.get("/other/d")).isEqualTo("n1");
    }

    // In the locale C, for one, that is each name with a letter that is not English.
    @Test
    void pathsThatAreNoNamesOfFilesAreMovedToo() {
        leads("n1", "/a", "/b\\u0000");
        assertThat(run(Run.NONE, "--dry-run").out()).contains("n1    2      1");
        assertThat(run(Run.NONE, "--dry-run", "--paths", "/*").out()).contains("n1    1      1");
    }

    @Test
    void whomNoIdNamesNothingIsHandedTo() {
        idPrefix = "";
        leads("n1", "/a", "/b", "/c");
        Run run = run(Run.NONE, "--force");
        assertThat(run.out())
                .endsWith("nothing to move\n3 paths have contenders without a unique id, to which nothing can be"
                        + " handed over\n");
        assertThat(transfers()).isZero();
    }

    // ---------------------------------------------------------------- what does not go as planned

    @Test
    void aPathWhoseLeaderHasChangedIsLeftAlone() {
        leads("n1", "/a", "/b", "/c");
        // While the first one is moved, another gets a new leader.
        onTransfer = () -> leads("n2", "/b");
        Run run = run(Run.NONE, "--force");
        assertThat(run.out())
                .contains(
                        "/a: latch of n1", "/b: left alone: its leader has changed meanwhile\n", "moved 1 path, 1 not");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(transfers()).isEqualTo(1);
    }

    @Test
    void onlyThePathThatIsRefusedStays() {
        leads("n1", "/a", "/b", "/c");
        AtomicInteger count = new AtomicInteger();
        FakeNode one = nodes.get("n1");
        one.handle("/transfer", exchange -> {
            if (count.getAndIncrement() == 0) {
                send(exchange, 409, "{'error':'its node n2 is not up'}");
            } else {
                transfer("n1", exchange);
            }
        });
        Run run = run(Run.NONE, "--force");
        assertThat(run.out())
                .contains("/a: not moved: " + one.url() + ": answers 409: its node n2 is not up\n")
                .endsWith("moved 1 path, 1 not\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void aTokenThatIsRefusedEndsIt() {
        leads("n1", "/a", "/b", "/c");
        FakeNode one = nodes.get("n1").answer("/transfer", 401, "{'error':'a change needs the token'}");
        Run run = run(Run.NONE, "--force");
        assertThat(run.out())
                .endsWith("moved 0 paths, 1 not; 1 are left, because " + one.url()
                        + ": answers 401: a change needs the token:\n  /b\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    // A node takes four changes at one time, and says of the others that they have not begun.
    @Test
    void aNodeWithTooManyChangesAtOneTimeIsAskedAgain() {
        leads("n1", "/a", "/b", "/c");
        AtomicInteger count = new AtomicInteger();
        nodes.get("n1").handle("/transfer", exchange -> {
            if (count.getAndIncrement() == 0) {
                send(exchange, 503, "{'error':'4 requests wait for a change already, and this one has begun none'}");
            } else {
                transfer("n1", exchange);
            }
        });
        Run run = run(Run.NONE, "--force", "--parallel", "2");
        assertThat(run.out()).endsWith("moved 2 paths\n");
        assertThat(run.exitCode()).isZero();
    }

    // On a busy machine the wait may be over before the last answer is there, but not each time.
    @Test
    void aNodeThatCanChangeNothingEndsIt() {
        leads("n1", "/a", "/b", "/c");
        nodes.get("n1").answer("/transfer", 503, "{'error':'the token cannot be checked'}");
        Run run = run(Run.NONE, "--force", "--wait", "3s");
        for (int round = 1; round < ROUNDS_MAX && run.out().contains("does not lead"); round++) {
            run = run(Run.NONE, "--force", "--wait", "3s");
        }
        assertThat(run.out()).contains("moved 0 paths, 1 not; 1 are left, because ", "the token cannot be checked");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    // A server may wait longer for a successor than the command does. On a busy machine the other path may be late too,
    // but not each time.
    @Test
    void onlyThePathWhoseLeaderTakesLongerThanTheWaitStays() {
        Run run = runWhileOnePathIsLate();
        for (int round = 1; round < ROUNDS_MAX && run.out().endsWith("moved 0 paths, 2 not\n"); round++) {
            run = runWhileOnePathIsLate();
        }
        assertThat(run.out())
                .containsPattern("/a: not moved: 'latch of n.' does not lead /a after 3 s; it may still come to that\n")
                .endsWith("moved 1 path, 1 not\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    private Run runWhileOnePathIsLate() {
        leads("n1", "/a", "/b", "/c");
        AtomicInteger count = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        nodes.get("n1").handle("/transfer", exchange -> {
            if (count.getAndIncrement() == 0) {
                end.await();
            } else {
                transfer("n1", exchange);
            }
        });
        Run run = run(Run.NONE, "--force", "--wait", "3s");
        end.countDown();
        return run;
    }

    // What an address calls a path may be anything, and would move what stands on the terminal.
    @Test
    void namesFromElsewhereHaveNoEscapes() {
        leads("n1", "/a");
        nodes.get("n3")
                .answer(
                        "/led",
                        200,
                        "{'node':'n3','paths':[{'path':'/\\u001b[2J','token':1,'contenders':["
                                + "{'id':'n3','node':'n3','leader':true,'rank':2},"
                                + "{'id':'n1','node':'n1','leader':false,'rank':1}]}],'next':null}");
        Run run = run(Run.NONE, "--by", "priority", "--paths", "**", "--force");
        assertThat(run.out()).contains("not moved: ").doesNotContain("\u001b");
        assertThat(run.err()).doesNotContain("\u001b");
    }

    @Test
    void ctrlCEndsItAfterTheMoveThatIsUnderWay() {
        for (int i = 0; i < 9; i++) {
            leads("n1", "/path" + i);
        }
        Run.Somebody somebody = new Run.Somebody("y");
        onTransfer = somebody::interrupt;
        Run run = run(somebody);
        assertThat(run.out())
                .endsWith(
                        """
                moved 1 path; 5 are left, because it was stopped:
                  /path1
                  /path2
                  /path3
                  /path4
                  /path5
                """);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(somebody.isWaitedFor()).isFalse();
        assertThat(transfers()).isEqualTo(1);
        onTransfer = () -> {};
        assertThat(run(somebody).out()).endsWith("moved 5 paths\n");
    }

    @Test
    void aNodeThatIsSilentIsNotPlannedFor() {
        leads("n1", "/a", "/b", "/c", "/d");
        nodes.get("n3").answer("/led", 404, "{'error':'unknown endpoint'}");
        Run run = run(Run.NONE, "--force");
        assertThat(run.out()).contains(nodes.get("n3").url() + ": answers 404: unknown endpoint\n", "moved 2 paths");
        assertThat(leaders.values()).containsOnly("n1", "n2");
        nodes.values().forEach(node -> node.answer("/led", 503, "{'error':'too many requests'}"));
        Run nobody = run(Run.NONE, "--force");
        assertThat(nobody.err()).startsWith("quorate rebalance: no address answers what its node leads: ");
        assertThat(nobody.exitCode()).isEqualTo(2);
    }

    // It says at each question that there is more, of what it has told before.
    @Test
    void anAnswerThatNeverEndsEnds() {
        leads("n1", "/a");
        nodes.get("n2").answer("/led", 200, "{'node':'n2','paths':[],'next':'/a'}");
        Run run = run(Run.NONE, "--dry-run");
        assertThat(run.exitCode()).isZero();
        assertThat(nodes.get("n2").requests())
                .filteredOn(each -> each.contains("/led"))
                .hasSize(2);
    }

    // It says at each question that there is more, and each time something else.
    @Test
    void pathsWithoutAnEndAreNotPlannedFor() {
        leads("n1", "/a");
        AtomicInteger count = new AtomicInteger(1_000_000);
        FakeNode two = nodes.get("n2");
        two.handle(
                "/led",
                exchange -> send(exchange, 200, "{'node':'n2','paths':[],'next':'/" + count.incrementAndGet() + "'}"));
        Run run = run(Run.NONE, "--dry-run");
        assertThat(run.out())
                .contains(two.url() + ": tells of more than 100000 paths\n")
                .doesNotContain("\nn2 ");
    }

    @Test
    void morePathsThanWereAskedForAreRefused() {
        leads("n1", "/a");
        FakeNode two = nodes.get("n2");
        String one = "{'path':'/p','token':1,'contenders':[{'id':'n2','node':'n2','leader':true,'rank':1}]}";
        two.answer(
                "/led",
                200,
                "{'node':'n2','paths':[" + String.join(",", Collections.nCopies(501, one)) + "],'next':null}");
        Run run = run(Run.NONE, "--dry-run");
        assertThat(run.out()).contains(two.url() + ": answers with 501 paths instead of 500 at most\n");
    }

    @Test
    void nobodyWhoSaysNoHasAnythingMoved() {
        leads("n1", "/a", "/b");
        Run run = run(new Run.Somebody("n"));
        assertThat(run.err()).isEqualTo("quorate rebalance: nothing is changed\n");
        assertThat(transfers()).isZero();
        assertThat(run(Run.NONE).err()).contains("give --force");
    }

    @Test
    void wrongOptionsAreNamed() {
        assertThat(run(Run.NONE, "--parallel", "0").err()).contains("--parallel 0: must be 1 to 16");
        assertThat(run(Run.NONE, "--parallel", "17").exitCode()).isEqualTo(64);
        assertThat(run(Run.NONE, "--paths", "/a/[").err()).contains("--paths '/a/[': must be a glob");
        assertThat(run(Run.NONE, "--by", "chance").err()).contains("chance");
    }

    @Test
    void jsonIsOneLine() {
        leads("n1", "/a", "/b");
        assertThat(run(Run.NONE, "--dry-run", "-o", "json").out())
                .matches("\\{\"nodes\":\\[.*],\"ended\":\\[],\"left\":\\[\\{\"path\":\"/a\",.*}],\"fixed\":0,"
                        + "\"silent\":\\[]}\\R");
        assertThat(run(Run.NONE, "--force", "-o", "json").out())
                .contains("\"nodes\":[{\"node\":\"n1\",\"leads\":2,\"then\":1},")
                .contains("\"ended\":[{\"path\":\"/a\",\"from\":{\"id\":\"latch of n1\",\"node\":\"n1\"},\"to\":{")
                .contains("\"end\":\"MOVED\",\"token\":13,\"reason\":null}],\"left\":[]");
    }
}
