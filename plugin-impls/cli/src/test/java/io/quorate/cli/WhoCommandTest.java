package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Of {@code who} and {@code why}. */
class WhoCommandTest {

    private final FakeNode one = new FakeNode();
    private final FakeNode two = new FakeNode();

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private Run run(String command) {
        return Run.of(command, "/p", "--url", one.url(), "--url", two.url());
    }

    @Test
    void theLeaderIsNamed() {
        one.leads("a", "n1", 7);
        two.follows("a", "n1", 7);
        Run run = run("who");
        assertThat(run.out()).isEqualTo("a on n1 leads /p with token 7\n");
        assertThat(run.exitCode()).isZero();
        assertThat(one.requests()).containsExactly("GET /leader?path=%2Fp");
    }

    @Test
    void aLeaderThatLeavesSaysSo() {
        one.answer(
                "/leader",
                200,
                "{'node':'n1','path':'/p','leads':true,'leader':{'id':'a','node':'n1'},'token':7,'reason':'it leads',"
                        + "'leaving':'its work is being finished'}");
        two.follows("a", "n1", 7);
        Run run = run("who");
        assertThat(run.out()).isEqualTo("a on n1 leads /p with token 7, and leaves: its work is being finished\n");
        assertThat(run.exitCode()).isZero();
        assertThat(Run.of("who", "/p", "-o", "json", "--url", one.url()).out())
                .contains("\"leaving\":\"its work is being finished\"");
        assertThat(Run.of("who", "/p", "-o", "json", "--url", two.url()).out()).contains("\"leaving\":null");
    }

    // A token only rises, so the highest one is the latest; and who knows it may be wrong by now.
    @Test
    void whereNodesDifferTheHighestTokenCounts() {
        one.leads("a", "n1", 7);
        two.follows("b", "n3", 8);
        Run run = run("who");
        assertThat(run.out())
                .isEqualTo("b on n3 leads /p with token 8, as others know; no node says it of itself\n"
                        + "  n1: a on n1 leads with token 7\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void nobodyIsKnownToLead() {
        one.knowsNobody();
        two.answer("/leader", 404, "{'node':'n2','error':'path /p: no latch'}");
        Run run = run("who");
        assertThat(run.out())
                .isEqualTo("no leader is known for /p\n  " + one.url() + ": knows of no leader: it waits for votes\n"
                        + "  n2: path /p: no latch\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void nobodyAnswers() {
        one.answer("/leader", 503, "{'error':'the client of this node is closed'}");
        Run run = Run.of("who", "/p", "--url", one.url(), "--url", FakeNode.nobody());
        assertThat(run.out())
                .contains(one.url() + ": answers 503: the client of this node is closed")
                .contains("cannot be reached");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    private static final String EXPLANATION =
            "{'node':'n1','path':'/p','leads':true,'leader':{'id':'a','node':'n1'},'token':7,"
                    + "'reason':'it leads with token 7','leaseLeft':812,'contenders':[{'id':'a','node':'n1','leader':true},"
                    + "{'id':'','node':'n2','leader':false}],'supporters':['n1','n2'],'voters':['n1','n2','n3']}";

    // Of the two nodes the second one is older, and does not say its id.
    @Test
    void eachNodeSaysWhy() {
        one.answer("/explain", 200, EXPLANATION);
        two.answer("/explain", 404, "{'error':'path /p: no latch'}");
        Run run = run("why");
        assertThat(run.out())
                .isEqualTo("n1: it leads with token 7, for 812 ms more\n"
                        + "  contenders: a on n1 (leader), n2\n"
                        + "  supported by: n1, n2; voters: n1, n2, n3\n" + two.url() + ": path /p: no latch\n");
        assertThat(run.exitCode()).isZero();
        assertThat(one.requests()).containsExactly("GET /explain?path=%2Fp");
    }

    @Test
    void theLeaseOfTheOnlyVoterHasNoEnd() {
        one.answer("/explain", 200, EXPLANATION.replace("812", "2305843009213"));
        assertThat(run("why").out())
                .startsWith("n1: it leads with token 7, without an end: no other node votes\n")
                .doesNotContain("2305843009213");
    }

    // As an older node says it.
    @Test
    void nobodyContends() {
        Run run = run("why");
        assertThat(run.out()).contains(one.url() + ": unknown endpoint: there are /live\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void nobodySaysWhy() {
        one.answer("/explain", 500, "{}");
        two.answer("/explain", 200, EXPLANATION.replace("'contenders':[{", "'contenders':[1,{"));
        Run run = run("why");
        assertThat(run.out())
                .isEqualTo(one.url() + ": answers 500\n" + two.url()
                        + ": answers without a field 'contenders' that is an array of objects\n");
        assertThat(run.exitCode()).isEqualTo(2);
    }
}
