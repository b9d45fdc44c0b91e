package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.quorate.ElectionClient;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tables and the alerts of docs/metrics.md are about the meters and events that there are. */
class MetricsDocumentTest {

    private static final Path DOCUMENT = Path.of("..", "..", "plugin-api", "docs", "metrics.md");
    private static final Pattern NAME = Pattern.compile("quorate_[a-z_]+");

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = Clients.over(engine);
    private Scrape scrape;

    @BeforeEach
    void bind() {
        scrape = new Scrape(client);
        engine.monitors().get(0).leaderChanged("/a", Optional.empty(), Optional.empty());
        engine.monitors().get(0).voterHeard("n1", true);
        engine.monitors().get(0).framesDropped("other-secret", 0);
        scrape.awaitPath("/a");
        scrape.await(series -> series.containsKey("quorate_frames_dropped_total{reason=\"other-secret\"}"));
    }

    @AfterEach
    void close() {
        scrape.close();
        client.close();
    }

    private static List<List<String>> rows(String document, String head) {
        List<String> lines = document.lines().toList();
        return lines.stream()
                .skip(lines.indexOf(head) + 2L)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.split("\\|"))
                        .skip(1)
                        .map(cell -> cell.strip().replace("`", ""))
                        .toList())
                .toList();
    }

    // ---------------------------------------------------------------- meters

    private static String type(Meter meter) {
        return switch (meter.getId().getType()) {
            case GAUGE -> "gauge";
            case COUNTER -> "counter";
            case TIMER -> "timer";
            default -> "another";
        };
    }

    /** Each meter as a row has it: name, type, tag, name in Prometheus. */
    private Set<List<String>> registered() {
        return scrape.registry.getMeters().stream()
                .map(meter -> List.of(
                        meter.getId().getName(),
                        type(meter),
                        meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.joining(", ")),
                        inPrometheus(meter)))
                .collect(Collectors.toSet());
    }

    /** What the names of its series begin with. */
    private String inPrometheus(Meter meter) {
        String name = scrape.registry
                .config()
                .namingConvention()
                .name(
                        meter.getId().getName(),
                        meter.getId().getType(),
                        meter.getId().getBaseUnit());
        String full = meter instanceof FunctionCounter && !name.endsWith("_total") ? name + "_total" : name;
        assertThat(scrape.names()).as(meter.toString()).anyMatch(each -> each.startsWith(name));
        return scrape.names().contains(full + "_total") ? full + "_total" : full;
    }

    private static Set<List<String>> documented(String document) {
        return rows(document, "| meter | type | tag | in Prometheus | meaning |").stream()
                .map(row -> row.subList(0, 4))
                .collect(Collectors.toSet());
    }

    @Test
    void theTableListsTheMeters() throws IOException {
        String document = Files.readString(DOCUMENT);
        assertThat(documented(document)).hasSize(18).isEqualTo(registered());
        assertThat(documented(document.replace("| `quorate.leader` | gauge |", "| `quorate.leader` | counter |")))
                .isNotEqualTo(registered());
        assertThat(documented(document.replaceAll("(?m)^\\| `quorate.supporters`.*\n", "")))
                .isNotEqualTo(registered());
    }

    @Test
    void theNumberOfPathsIsThatOfTheCode() throws IOException {
        assertThat(Files.readString(DOCUMENT)).contains("The first " + QuorateMeters.PATHS_MAX + " paths");
    }

    private Set<String> unknownNames(String document) {
        List<String> known = scrape.names();
        return NAME.matcher(document)
                .results()
                .map(found -> found.group())
                .filter(name -> known.stream().noneMatch(each -> each.equals(name) || each.startsWith(name + "_")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void alertsAreAboutMetersThatThereAre() throws IOException {
        String document = Files.readString(DOCUMENT);
        assertThat(NAME.matcher(document).results().count()).isGreaterThan(15);
        assertThat(unknownNames(document)).isEmpty();
        assertThat(unknownNames("quorate_leaders quorate_supporters")).containsExactly("quorate_leaders");
    }

    // ---------------------------------------------------------------- events

    private static final Set<String> OF_ALL = Set.of("startTime", "duration", "eventThread", "stackTrace", "node");

    private static Map<String, Set<String>> events() {
        Map<String, Set<String>> events = new TreeMap<>();
        for (Class<?> each : FlightEvents.class.getDeclaredClasses()) {
            if (Event.class.isAssignableFrom(each) && !each.getSimpleName().equals("OfNode")) {
                EventType type = EventType.getEventType(each.asSubclass(Event.class));
                events.put(
                        type.getName(),
                        type.getFields().stream()
                                .map(ValueDescriptor::getName)
                                .filter(name -> !OF_ALL.contains(name))
                                .collect(Collectors.toSet()));
            }
        }
        return events;
    }

    @Test
    void theTableListsTheEvents() throws IOException {
        Map<String, Set<String>> documented = new TreeMap<>();
        rows(Files.readString(DOCUMENT), "| event | fields | when |")
                .forEach(row -> documented.put(
                        row.get(0), Stream.of(row.get(1).split(", ")).collect(Collectors.toSet())));
        assertThat(documented).hasSize(6).isEqualTo(events());
    }
}
