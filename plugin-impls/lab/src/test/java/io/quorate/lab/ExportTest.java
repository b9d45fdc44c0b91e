package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.picture.Focus;
import io.quorate.testkit.picture.Picture.Way;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Mark;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.picture.Recording.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/lab.md#export: a run in the form of other tools. */
class ExportTest {

    private static final String NASTY = "a\"b;#<b>**%\nend|é";

    /** It names everything badly. */
    private static final Recording BAD_NAMES = new Recording(
            NASTY,
            "",
            List.of(NASTY, "end"),
            3000,
            List.of(
                    new Message(NASTY, "end", 1000, 2000, Fate.ARRIVED, NASTY, "x: 1; y", false),
                    new Message("end", NASTY, 1500, 1500, Fate.LOST, "end", "", false)),
            List.of(new Mark(500, Optional.empty(), NASTY), new Mark(0, Optional.of("end"), "starts")),
            List.of(),
            List.of(),
            List.of(),
            List.of(new Step("end", 2000, Step.Kind.MESSAGE, NASTY + " from " + NASTY, "leader=- S={a,b}")),
            0);

    @TempDir
    private Path directory;

    private Path file(String name) {
        return directory.resolve(name);
    }

    private static String text(String wanted) {
        return Export.of(wanted).text(Way.of("documented", BAD_NAMES), Focus.whole(List.of(BAD_NAMES)));
    }

    private Run lab(String arguments, String... exports) {
        List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
        all.addAll(List.of("--html", file("page.html").toString()));
        for (String export : exports) {
            all.addAll(List.of("--export", file(export).toString()));
        }
        Run run = Run.of(all.toArray(new String[0]));
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run;
    }

    // ---------------------------------------------------------------- vector clocks

    // Reachability along each process and along each message says the same as the clocks.
    @ParameterizedTest
    @CsvSource({"lcr crash --nodes 3 --way documented", "bully steady --nodes 3 --way lease", "bully B1"})
    void clocksAreTheOrderOfCauses(String arguments) throws Exception {
        lab(arguments, "run.jsonl");
        List<Map<String, Object>> events = Files.readAllLines(file("run.jsonl")).stream()
                .skip(1)
                .map(Json::object)
                .filter(event -> event.containsKey("process"))
                .toList();
        assertThat(events)
                .hasSizeGreaterThan(10)
                .extracting(event -> event.get("kind"))
                .contains("send", "receive");
        assertThat(events)
                .isSortedAccordingTo(Comparator.comparingDouble(
                        event -> Double.parseDouble(event.get("at").toString())));
        List<BitSet> before = new ArrayList<>();
        Map<Object, Integer> last = new HashMap<>();
        Map<Object, Integer> sent = new HashMap<>();
        for (int number = 0; number < events.size(); number++) {
            Map<String, Object> event = events.get(number);
            BitSet causes = new BitSet();
            List<Integer> direct = new ArrayList<>();
            Optional.ofNullable(last.put(event.get("process"), number)).ifPresent(direct::add);
            if (event.get("kind").equals("send")) {
                sent.put(event.get("message"), number);
            } else if (event.get("kind").equals("receive")) {
                assertThat(sent).as("sent before it arrives").containsKey(event.get("message"));
                direct.add(sent.get(event.get("message")));
            }
            for (int cause : direct) {
                causes.or(before.get(cause));
                causes.set(cause);
            }
            before.add(causes);
        }
        for (int one = 0; one < events.size(); one++) {
            Map<?, ?> clock = (Map<?, ?>) events.get(one).get("clock");
            Object process = events.get(one).get("process");
            for (int other = 0; other < events.size(); other++) {
                Object known = ((Map<?, ?>) events.get(other).get("clock")).get(process);
                boolean isCause = known != null && (Long) clock.get(process) <= (Long) known && one != other;
                if (isCause != before.get(other).get(one)) {
                    throw new AssertionError(events.get(one) + " before " + events.get(other) + ": " + isCause);
                }
            }
        }
    }

    // Two answers with one name arrive at one instant, and are handled in the other order.
    @Test
    void stateBelongsToTheMessageOfItsSender() {
        Recording recording = new Recording(
                "",
                "",
                List.of("a", "b", "c"),
                20,
                List.of(
                        new Message("a", "c", 0, 10, Fate.ARRIVED, "ALIVE", "", false),
                        new Message("b", "c", 5, 10, Fate.ARRIVED, "ALIVE", "", false)),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(
                        new Step("c", 10, Step.Kind.MESSAGE, "ALIVE from b", "S={b}"),
                        new Step("c", 10, Step.Kind.MESSAGE, "ALIVE from a", "S={a,b}")),
                0);
        assertThat(Export.of("jsonl=x")
                        .text(Way.of("documented", recording), Focus.whole(List.of(recording)))
                        .lines()
                        .filter(line -> line.contains("receives"))
                        .map(line -> Json.object(line).get("from") + " "
                                + Json.object(line).get("state")))
                .containsExactly("b S={b}", "a S={a,b}");
    }

    // ShiViz demands that the clock of each host begins at 1 and rises by 1.
    @Test
    void shiVizReadsEachLine() throws Exception {
        lab("bully B1", "run.shiviz");
        String log = Files.readString(file("run.shiviz"));
        assertThat(log).startsWith("(?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})\n\n");
        String events = log.substring(log.indexOf("\n\n") + 2);
        // Java wants the braces escaped.
        Matcher matcher = Pattern.compile(
                        Export.SHIVIZ_PARSER.replace("{", "\\{").replace("}", "\\}"))
                .matcher(events);
        Map<String, Long> clocks = new HashMap<>();
        int end = 0;
        for (; matcher.find(); end = matcher.end() + 1) {
            assertThat(matcher.start()).isEqualTo(end);
            String host = matcher.group("host");
            assertThat(Json.object(matcher.group("clock")).get(host)).isEqualTo(clocks.merge(host, 1L, Long::sum));
        }
        assertThat(end).isEqualTo(events.length());
        assertThat(clocks).hasSize(4);
    }

    // ---------------------------------------------------------------- diagrams

    @Test
    void mermaidEscapesNames() {
        String name = "a#34;b#59;#35;#60;b#62;#42;#42;#37;#65533;end#124;#233;";
        assertThat(text("run.mmd"))
                .isEqualTo("sequenceDiagram\ntitle " + name + "\nparticipant p0 as " + name
                        + "\nparticipant p1 as end\nnote over p1 : 0.000 starts\nNote over p0,p1: 0.500 " + name
                        + "\np1 -x p0 : end (1.500 lost)\np0 ->> p1 : " + name
                        + " x#58; 1#59; y (1.000 to 2.000)\n");
    }

    @Test
    void plantUmlEscapesNames() {
        String name = "a&#34;b&#59;&#35;&#60;b&#62;&#42;&#42;&#37;&#65533;end&#124;&#233;";
        assertThat(text("plantuml=x"))
                .isEqualTo("@startuml\ntitle " + name + "\nparticipant \"" + name + "\" as p0\n"
                        + "participant \"end\" as p1\nnote over p1 : 0.000 starts\n== 0.500 " + name
                        + " ==\np1 ->x p0 : end (1.500 lost)\np0 -> p1 : " + name
                        + " x&#58; 1&#59; y (1.000 to 2.000)\n@enduml\n");
    }

    @Test
    void slideHasOneColumn() throws Exception {
        lab("bully B1", "run.svg");
        assertThat(Files.readString(file("run.svg"))).startsWith("<svg xmlns").containsOnlyOnce("class=\"way\"");
    }

    // Many programs for slides do not know variables, and would leave out each line and each arrow.
    @Test
    void slideHasItsColoursWithoutVariables() throws Exception {
        lab("bully B1", "run.svg");
        assertThat(Files.readString(file("run.svg")))
                .contains(
                        ".run .belief { stroke-width: 4; stroke: currentColor; }",
                        ".c0 { color: #0b62c4; }",
                        ".c8 { color: #5d6b2f; }",
                        ".run text { fill: #1c2330; }")
                .doesNotContain("var(", "--", ":root", "@media");
    }

    // The name of a scenario's file is a text of the picture.
    @Test
    void slideKeepsATextLikeAVariable() {
        String text = Export.of("run.svg").text(Way.of("var(--x)", BAD_NAMES), Focus.whole(List.of(BAD_NAMES)));
        assertThat(text).contains(">var(--x)</text>");
    }

    // ---------------------------------------------------------------- TLA+

    @Test
    void tlaHasTheVariablesOfTheDocument() throws Exception {
        lab("bully B1", "Run.tla");
        assertThat(Files.readString(file("Run.tla")))
                .startsWith("---- MODULE Run ----\nEXTENDS Integers, Sequences, TLC\n\\* bully, faithful: ")
                .contains("P1 |-> [runs |-> TRUE, leader |-> \"P4\", phase |-> \"IDLE\", S |-> {}]")
                .endsWith("]]]\n>>\n====\n");
        assertThat(text("Bad_names.tla"))
                .contains("event |-> \"a\\\"b;#<b>**%?end|?\"")
                .contains("S |-> {\"a\", \"b\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "r=3 part=true ! r |-> 3, part |-> TRUE",
                "ring=(n1,n2) S={} ! ring |-> <<\"n1\", \"n2\">>, S |-> {}",
                "judge.ListPRI={n1:4,n2:-1} ! judge_ListPRI |-> (\"n1\" :> 4 @@ \"n2\" :> -1)",
                "seen=(2,-) q=((1,2),(3)) ! seen |-> <<2, \"-\">>, q |-> <<<<1, 2>>, <<3>>>>",
                "State[x=1, y=2] ! text |-> \"State[x=1, y=2]\""
            })
    void stateBecomesRecord(String state, String record) {
        assertThat(TlaTrace.record(state.strip())).isEqualTo("[runs |-> TRUE, " + record.strip() + "]");
    }

    // ---------------------------------------------------------------- what is refused

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "bully --export a.puml ! --export: must stand with one --way, documented, hardened or lease",
                "bully --way lease --export a.png ! --export 'a.png': must be FORMAT=FILE, with one of shiviz, plantuml",
                "bully --way lease --export mermid=a ! did you mean 'mermaid'?",
                "bully --way lease --export tla=my-run.tla ! must be a file such as Run.tla, with letters, digits and _",
                "bully --way lease --export svg= ! --export 'svg=': must name a file",
                "bully --way lease --html x.svg --export x.svg ! --export 'x.svg': must be another file than those of",
                "bully --way lease --export x.svg --export svg=./x.svg ! --export './x.svg': must be another file",
                "bully --explore --export a.svg ! --explore: must stand without --export"
            })
    void wrongWishesAreRefused(String arguments, String rule) {
        Run run = Run.of(arguments.strip().split(" "));
        assertThat(run.err()).contains(rule.strip()).doesNotContain("\tat ");
        assertThat(run.exitCode()).isEqualTo(64);
    }

    @Test
    void fileThatCannotBeWrittenIsNamed() {
        String nowhere = file("no").resolve("run.svg").toString();
        Run run = Run.of("bully", "B1", "--html", file("page.html").toString(), "--export", nowhere);
        assertThat(run.err()).contains("--export '" + nowhere + "': cannot be written: ");
        assertThat(run.exitCode()).isEqualTo(1);
    }
}
