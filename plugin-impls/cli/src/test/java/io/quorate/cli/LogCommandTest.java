package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogCommandTest {

    private final FakeNode one = new FakeNode();
    private final FakeNode two = new FakeNode();

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private static String change(int second, String kind, String more) {
        return "{'at':'2026-01-31T12:00:0" + second + "Z','kind':'" + kind + "'" + more + "}";
    }

    private static void logs(FakeNode node, String id, String... changes) {
        node.answer("/log", 200, "{'node':'" + id + "','changes':[" + String.join(",", changes) + "]}");
    }

    private void bothHaveLogged() {
        String first = ",'path':'/p','leader':{'id':'a','node':'n1'},'token':7,'reason':null";
        String second = ",'path':'/p','leader':{'id':'b','node':'n2'},'token':8,'reason':null";
        logs(
                one,
                "n1",
                change(1, "CONNECTION", ",'path':null,'leader':null,'token':null,'reason':'CONNECTED'"),
                change(3, "LEADS", first),
                change(5, "LEADS_NO_MORE", ",'path':'/p','leader':null,'token':7,'reason':'it hands over'"),
                change(6, "LEADER", second));
        logs(two, "n2", change(2, "LEADER", first), change(7, "LEADS", second), change(8, "NEW", ",'token':1"));
    }

    private Run log(String... more) {
        String[] arguments = new String[5 + more.length];
        System.arraycopy(new String[] {"log", "--url", one.url(), "--url", two.url()}, 0, arguments, 0, 5);
        System.arraycopy(more, 0, arguments, 5, more.length);
        return Run.of(arguments);
    }

    // Of what several nodes say, the leader's own word counts, also if its clock is behind.
    @Test
    void changesAreMergedByTime() {
        bothHaveLogged();
        Run run = log();
        assertThat(run.out())
                .isEqualTo(
                        """
                        AT                    SEEN-BY  PATH  CHANGE
                        2026-01-31T12:00:01Z  n1       -     connection of n1: CONNECTED
                        2026-01-31T12:00:03Z  n1 n2    /p    a on n1 leads with token 7
                        2026-01-31T12:00:05Z  n1       /p    n1 no longer leads with token 7: it hands over
                        2026-01-31T12:00:07Z  n1 n2    /p    b on n2 leads with token 8
                        2026-01-31T12:00:08Z  n2       -     NEW with token 1
                        """);
        assertThat(run.exitCode()).isZero();
        assertThat(one.requests()).containsExactly("GET /log?limit=50");
    }

    @Test
    void aNodeThatIsAskedTwiceIsHeardOnce() {
        logs(one, "n1", change(1, "CONNECTION", ",'reason':'LOST'"), change(1, "CONNECTION", ",'reason':'CONNECTED'"));
        logs(two, "n1", change(1, "CONNECTION", ",'reason':'LOST'"), change(1, "CONNECTION", ",'reason':'CONNECTED'"));
        assertThat(log().out().lines()).hasSize(3);
    }

    @Test
    void theLastChangesAreShown() {
        bothHaveLogged();
        Run run = log("/p", "-n", "2");
        assertThat(run.out().lines()).hasSize(3);
        assertThat(run.out()).contains("token 8").contains("NEW").doesNotContain("token 7");
        assertThat(one.requests()).containsExactly("GET /log?path=%2Fp&limit=2");
    }

    @Test
    void aNodeThatDoesNotAnswerIsSaid() {
        bothHaveLogged();
        logs(two, "n2", "{'at':'yesterday','kind':'LEADS'}");
        Run run = log();
        assertThat(run.out().lines()).hasSize(5);
        assertThat(run.err())
                .isEqualTo(two.url() + ": answers without a field 'at' that is a time such as 2026-01-31T12:00:00Z\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void nobodyAnswers() {
        assertThat(log().exitCode()).isEqualTo(2);
    }

    @Test
    void theLimitHasABound() {
        for (String limit : new String[] {"0", "-1", "201"}) {
            Run run = log("--limit", limit);
            assertThat(run.err()).contains("--limit " + limit + ": must be from 1 to 200");
            assertThat(run.exitCode()).isEqualTo(64);
        }
    }
}
