package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables of docs/command-line.md#json name exactly the fields that the commands print, with their types. */
class JsonFieldsTest {

    private static final Path DOCUMENT = Path.of("..", "..", "plugin-api", "docs", "command-line.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([\\w.\\[\\]]+)` \\| ([a-z ]+) \\|");

    @TempDir
    private Path directory;

    private final FakeNode one = new FakeNode();
    private final FakeNode two = new FakeNode();

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    // ---------------------------------------------------------------- what is promised, and what there is

    /** The types of the fields of a command, by name. A latch and addresses stand for their fields. */
    private static Map<String, String> documented(String command) throws IOException {
        String text = Files.readString(DOCUMENT);
        Matcher section = Pattern.compile("(?s)\n### `" + command + "`\n(.*?)(\n###? |\\z)")
                .matcher(text);
        assertThat(section.find()).as("section of %s", command).isTrue();
        Map<String, String> fields = new TreeMap<>();
        ROW.matcher(section.group(1)).results().forEach(row -> {
            String field = row.group(1);
            String type = row.group(2);
            if (type.startsWith("latch")) {
                fields.put(field + ".id", "text");
                fields.put(field + ".node", "text");
            } else if (type.equals("addresses")) {
                fields.put(field + "[].url", "text");
                fields.put(field + "[].reason", "text");
            }
            fields.put(field, type.replace("latch", "object").replace("addresses", "objects"));
        });
        return fields;
    }

    /** The types that each field has in a document, by name; of a list without elements just "list". */
    private static Map<String, Set<String>> printed(String json) {
        Map<String, Set<String>> found = new TreeMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            read(parser, parser.nextToken(), "", found);
            assertThat(parser.nextToken()).isNull();
        } catch (IOException e) {
            throw new AssertionError(json, e);
        }
        return found;
    }

    private static String read(JsonParser json, JsonToken first, String name, Map<String, Set<String>> found)
            throws IOException {
        switch (first) {
            case START_OBJECT -> {
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    String field = (name.isEmpty() ? "" : name + ".") + json.currentName();
                    String type = read(json, json.nextToken(), field, found);
                    found.computeIfAbsent(field, unknown -> new TreeSet<>()).add(type);
                }
                return "object";
            }
            case START_ARRAY -> {
                String type = "list";
                for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
                    type = read(json, next, name + "[]", found) + "s";
                }
                return type;
            }
            default -> {
                return switch (first) {
                    case VALUE_STRING -> "text";
                    case VALUE_NUMBER_INT -> "number";
                    case VALUE_TRUE, VALUE_FALSE -> "truth";
                    case VALUE_NULL -> "null";
                    default -> throw new AssertionError(name + " is " + first);
                };
            }
        }
    }

    /** All runs together show each field, with each of its types; none shows another. */
    private static void assertDocumented(String command, Run... runs) throws IOException {
        Map<String, Set<String>> found = new TreeMap<>();
        for (Run run : runs) {
            assertThat(run.out().lines()).as(run.err()).hasSize(1);
            printed(run.out()).forEach((field, types) -> found.computeIfAbsent(field, unknown -> new TreeSet<>())
                    .addAll(types));
        }
        found.values().stream().filter(types -> types.size() > 1).forEach(types -> types.remove("list"));
        Map<String, Set<String>> promised = new TreeMap<>();
        documented(command)
                .forEach((field, type) -> promised.put(field, new TreeSet<>(Arrays.asList(type.split(" or ")))));
        assertThat(found).isEqualTo(promised);
    }

    // ---------------------------------------------------------------- one test for each command

    private Run run(String... arguments) {
        Stream<String> more = Stream.of("-o", "json", "--url", one.url(), "--url", two.url());
        return Run.of(Stream.concat(Stream.of(arguments), more).toArray(String[]::new));
    }

    private static final String LED = ",'leader':{'id':'a','node':'n1'},'token':7";

    @Test
    void fieldsOfStatus() throws IOException {
        one.answer(
                "/status",
                200,
                "{'node':'n1','cluster':'c','state':'UP','reason':'r','voters':['n1','n2'],'supporters':['n1','n2'],"
                        + "'hears':['n1'],'leads':[{'path':'/p','token':1}],'leaving':[{'path':'/p','reason':'r'}],"
                        + "'stages':[{'path':'/p','stage':'tandem'}],'margin':0,'version':'1',"
                        + "'problems':[{'kind':'terms','text':'full'}]}");
        Run partly = run("status");
        two.status("n2", "UP", "'n1','n2'", "'n1','n2'", "");
        assertDocumented("status", partly, run("status"));
    }

    @Test
    void fieldsOfWho() throws IOException {
        one.leads("a", "n1", 7);
        two.answer("/leader", 500, "{}");
        Run partly = run("who", "/p");
        one.answer("/leader", 200, "{'node':'n1','path':'/p','leads':true" + LED + ",'reason':'r','leaving':'why'}");
        Run leaving = run("who", "/p");
        one.knowsNobody();
        assertDocumented("who", partly, leaving, run("who", "/p"));
    }

    @Test
    void fieldsOfWhy() throws IOException {
        one.answer(
                "/explain",
                200,
                "{'node':'n1','path':'/p','leads':true" + LED + ",'reason':'r','leaseLeft':8,"
                        + "'contenders':[{'id':'a','node':'n1','leader':true}],'supporters':['n1'],'voters':['n1']}");
        Run partly = run("why", "/p");
        two.answer("/explain", 500, "{}");
        Run silent = run("why", "/p");
        two.answer("/explain", 404, "{'error':'no latch'}");
        assertDocumented("why", partly, silent, run("why", "/p"));
    }

    @Test
    void fieldsOfLog() throws IOException {
        one.answer(
                "/log",
                200,
                "{'node':'n1','changes':[{'at':'2026-01-31T12:00:00Z','kind':'LEADS','path':'/p'" + LED
                        + ",'reason':'r'},{'at':'2026-01-31T12:00:01Z','kind':'CONNECTION'}]}");
        assertDocumented("log", run("log"));
    }

    private String tokenFile() throws IOException {
        return Files.writeString(directory.resolve("token"), "0123456789abcdef").toString();
    }

    @Test
    void fieldsOfTransfer() throws IOException {
        one.leads("a", "n1", 7).answer("/transfer", 200, "{}");
        two.follows("a", "n1", 7);
        assertDocumented("transfer", run("transfer", "/p", "a", "--force", "--token-file", tokenFile()));
    }

    @Test
    void fieldsOfStandby() throws IOException {
        one.status("n1", "UP", "'n1'", "'n1'", "").answer("/standby", 200, "{}");
        two.status("n2", "UP", "'n1'", "'n1'", "");
        assertDocumented("standby", run("standby", "n1", "on", "--force", "--token-file", tokenFile()));
    }

    @Test
    void fieldsOfPriority() throws IOException {
        one.status("n1", "UP", "'n1'", "'n1'", "").answer("/priority", 200, "{}");
        two.status("n2", "UP", "'n1'", "'n1'", "");
        assertDocumented("priority", run("priority", "n1", "7", "--force", "--token-file", tokenFile()));
    }

    @Test
    void fieldsOfRebalance() throws IOException {
        String contenders =
                "[{'id':'a','node':'n1','leader':true,'rank':1},{'id':'b','node':'n2','leader':false,'rank':2}]";
        one.answer(
                "/led",
                200,
                "{'node':'n1','paths':[{'path':'/p','token':7,'contenders':" + contenders
                        + "},{'path':'/q','token':7,'contenders':" + contenders + "}]}");
        two.answer("/led", 500, "{}");
        Run silent = run("rebalance");
        two.answer("/led", 200, "{'node':'n2','paths':[]}");
        Run planned = run("rebalance", "--dry-run");
        String[] change = {"rebalance", "--force", "--token-file", tokenFile()};
        one.leads("a", "n1", 6);
        two.follows("a", "n1", 6);
        Run leftAlone = run(change);
        one.leads("a", "n1", 7).handle("/transfer", exchange -> {
            one.follows("b", "n2", 8);
            two.leads("b", "n2", 8);
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
        });
        two.follows("a", "n1", 7);
        assertDocumented("rebalance", silent, planned, leftAlone, run(change));
    }

    @Test
    void fieldsOfVoters() throws IOException {
        String answer = "{'node':'n1','number':7,'voters':[{'id':'n1','address':null},{'id':'n2','address':'h:1'}]}";
        one.answer("/voters", 200, answer);
        Run shown = run("voters");
        two.answer("/voters", 200, answer);
        assertDocumented("voters", shown, run("voters", "n1", "n2", "--force", "--token-file", tokenFile()));
    }

    @Test
    void fieldsOfCheck() throws IOException {
        String peers = "\nquorate.peers=n1=a:1,n2=b:1\n";
        Path right = Files.writeString(directory.resolve("1"), "quorate.node-id=n1\nquorate.algorithm=mine" + peers);
        Path other = Files.writeString(directory.resolve("2"), "quorate.node-id=n2" + peers);
        Path wrong = Files.writeString(directory.resolve("3"), "quorate.node-id=n3" + peers);
        assertDocumented("check", Run.of("check", "-o", "json", right + "", other + "", wrong + ""));
    }

    // A comparison that finds nothing would be no comparison.
    @Test
    void aFieldThatIsNotPromisedIsNoticed() throws IOException {
        Run less = new Run(0, "{\"node\":\"n1\"}\n", "");
        Run more = new Run(0, "{\"node\":\"n1\",\"standby\":true,\"other\":1}\n", "");
        Run wrong = new Run(0, "{\"node\":1,\"standby\":true}\n", "");
        for (Run run : new Run[] {less, more, wrong}) {
            assertThatThrownBy(() -> assertDocumented("standby", run)).isInstanceOf(AssertionError.class);
        }
        assertDocumented("standby", new Run(0, "{\"node\":\"n1\",\"standby\":true}\n", ""));
    }

    // Whoever reads a line of it needs no decoder, and no terminal is moved.
    @Test
    void aLineIsAscii() {
        one.status("n\\u00fc\\u001b\\n", "UP", "'n1'", "'n1'", "");
        assertThat(run("status").out()).matches("\\p{Print}+\\R").contains("n\\u00FC\\u001B\\n");
    }
}
