package io.quorate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.quorate.contract.CuratorDifferences.Difference;
import io.quorate.source.Compiled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Code that was written for Curator compiles, because the signatures are the same but for what is listed. */
class SignatureTest {

    private static final Path DOCUMENT = Path.of("..", "..", "plugin-api", "docs", "curator.md");
    private static final Pattern SECTION = Pattern.compile("(?s)\n## Differences\n(.*?)\n## ");
    private static final Pattern ITEM = Pattern.compile("(?m)^- `([\\w.]+)`: (.*(?:\n  .*)*)");

    @Test
    void everyDifferenceIsMeant() {
        assertThat(CuratorDifferences.surprises(CuratorDifferences.MEANT, CuratorDifferences.found()))
                .isEmpty();
    }

    @Test
    void aDifferenceThatIsNotMeantIsNoticed() {
        List<Difference> meant = CuratorDifferences.MEANT;
        for (Difference one : meant) {
            List<Difference> others =
                    meant.stream().filter(difference -> difference != one).toList();
            assertThat(CuratorDifferences.surprises(others, CuratorDifferences.found()))
                    .as(one.toString())
                    .hasSize(one.lines().size())
                    .allMatch(line -> line.startsWith("not meant: "));
        }
    }

    @Test
    void anEntryWithoutADifferenceIsNoticed() {
        List<Difference> meant = new ArrayList<>(CuratorDifferences.MEANT);
        meant.add(new Difference("LeaderLatch", "`getId`", "none", List.of("- public String getId()")));
        assertThat(CuratorDifferences.surprises(meant, CuratorDifferences.found()))
                .containsExactly("not found: - LeaderLatch: public String getId()");
    }

    // ---------------------------------------------------------------- the document says it

    private static Map<String, String> items(String document) {
        Matcher section = SECTION.matcher(document);
        assertThat(section.find()).as("the section in %s", DOCUMENT).isTrue();
        Map<String, String> items = new LinkedHashMap<>();
        ITEM.matcher(section.group(1))
                .results()
                .forEach(item -> items.put(item.group(1), item.group(2).replaceAll("\\s+", " ")));
        return items;
    }

    private static List<Difference> unmentioned(String document) {
        Map<String, String> items = items(document);
        return CuratorDifferences.MEANT.stream()
                .filter(difference -> !items.getOrDefault(difference.type(), "").contains(difference.inDocument()))
                .toList();
    }

    @Test
    void theDocumentNamesEveryDifference() throws IOException {
        String document = Files.readString(DOCUMENT);
        assertThat(unmentioned(document)).isEmpty();
        assertThat(items(document).get("ElectionClient"))
                .contains(CuratorDifferences.COMPARED_OF_CLIENT.stream()
                        .map(name -> "`" + name + "`")
                        .toList());
    }

    @Test
    void aDifferenceThatTheDocumentLeavesOutIsNoticed() throws IOException {
        String document = Files.readString(DOCUMENT);
        assertThat(unmentioned(document.replace("`doNotProxy`", "`x`")))
                .extracting(Difference::type)
                .containsExactly("ConnectionStateListener");
        assertThat(unmentioned(document.replace("- `LeaderSelector`:", "- `Selector`:")))
                .extracting(Difference::type)
                .containsOnly("LeaderSelector");
    }

    // ---------------------------------------------------------------- the comparison can fail

    private static final Path SHIPPED =
            Path.of("..", "..", "plugin-api", "api", "src", "main", "java", "io", "quorate");

    // A place of a shipped file, what is put there instead, and the difference that comes of it.
    private static Stream<Arguments> changes() {
        return Stream.of(
                arguments(
                        "LeaderLatch",
                        "LeaderLatch implements Clos",
                        "LeaderLatch implements AutoClos",
                        "+ LeaderLatch: public class LeaderLatch extends AutoCloseable, Object"),
                arguments(
                        "LeaderLatch",
                        "public class LeaderLatch",
                        "public final class LeaderLatch",
                        "+ LeaderLatch: public final class LeaderLatch extends Closeable, Object"),
                arguments(
                        "LeaderLatch",
                        "    public LeaderLatch(ElectionClient client, String latchPath) {",
                        "    LeaderLatch(ElectionClient client, String latchPath) {",
                        "- LeaderLatch: public LeaderLatch(ElectionClient,String)"),
                arguments(
                        "LeaderLatch",
                        "InterruptedException, EOFException",
                        "InterruptedException, IOException",
                        "+ LeaderLatch: public void await() throws InterruptedException,IOException"),
                arguments(
                        "LeaderLatch",
                        "close(CloseMode mode) throws IOException",
                        "close(CloseMode mode)",
                        "+ LeaderLatch: public void close(LeaderLatch.CloseMode)"),
                arguments(
                        "LeaderLatch",
                        "protected boolean cancelStartTask",
                        "boolean cancelStartTask",
                        "- LeaderLatch: protected boolean cancelStartTask()"),
                arguments(
                        "LeaderLatch",
                        "public Collection<Participant>",
                        "public Collection<? extends Participant>",
                        "+ LeaderLatch: public Collection<? extends Participant> getParticipants() throws Exception"),
                arguments(
                        "LeaderLatch",
                        "public String getId()",
                        "public final String getId()",
                        "+ LeaderLatch: public final String getId()"),
                arguments(
                        "LeaderLatch",
                        "await(long timeout",
                        "await(int timeout",
                        "- LeaderLatch: public boolean await(long,TimeUnit) throws InterruptedException"),
                arguments(
                        "LeaderLatch",
                        "private final String id;",
                        "protected final String id;",
                        "+ LeaderLatch: protected final String id"),
                arguments(
                        "ConnectionState",
                        "    LOST,",
                        "    GONE, LOST,",
                        "+ ConnectionState: constants [CONNECTED, SUSPENDED, RECONNECTED, GONE, LOST, READ_ONLY]"));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangedSignatureIsNoticed(String type, String original, String changed, String difference) throws Exception {
        String source = Files.readString(SHIPPED.resolve(type + ".java"));
        assertThat(source).contains(original);
        Class<?> quorate = Compiled.of("io.quorate." + type, source.replace(original, changed))
                .loadClass("io.quorate." + type);
        Class<?> curator = CuratorDifferences.replacedBy(type);
        Set<String> before = CuratorDifferences.found();
        assertThat(Signatures.differences(curator, quorate, name -> true))
                .filteredOn(line -> !before.contains(line))
                .contains(difference);
    }
}
