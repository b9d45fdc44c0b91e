package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the table of docs/settings.md, Spring's metadata, and the record that Spring binds from the rows of settings.
 * The tests of the adapters use it too.
 */
public final class SettingsWriter {

    private static final String TABLE_HEAD =
            "| setting | key | variable of the environment | default | range | equal on all nodes | meaning |\n"
                    + "|---|---|---|---|---|---|---|\n";

    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

    private SettingsWriter() {}

    /** All rows of the library, and these. */
    public static List<Setting<?>> rows(Setting<?>... more) {
        return Stream.concat(SettingRows.ALL.stream(), Stream.of(more)).toList();
    }

    /** A builder that knows these rows. */
    public static ElectionConfig.Builder builder(List<Setting<?>> rows) {
        return new ElectionConfig.Builder(rows);
    }

    /** What was chosen, or the default. */
    public static <T> Optional<T> value(ElectionSettings<?> builder, Setting<T> row) {
        return builder.chosen.find(row);
    }

    /** Compares the file with its former text after this change. With {@code -Drewrite} it is replaced first. */
    public static void assertWritten(Path file, UnaryOperator<String> written) throws IOException {
        String former = Files.exists(file) ? Files.readString(file) : "";
        if (System.getProperty("rewrite") != null) {
            Files.writeString(file, written.apply(former));
        }
        assertThat(Files.readString(file))
                .as(file + " is written from the rows: run this test with -Drewrite, and read the difference")
                .isEqualTo(written.apply(former));
    }

    private static String between(String text, String from, String to, String written) {
        int begin = text.indexOf(from);
        int end = text.indexOf(to, begin);
        assertThat(begin).as("begin of what is written").isNotNegative();
        assertThat(end).as("end of what is written").isGreaterThan(begin);
        return text.substring(0, begin) + written + text.substring(end);
    }

    // ---------------------------------------------------------------- docs/settings.md

    /** The document with its table. */
    public static String document(String former, List<Setting<?>> rows) {
        String table = rows.stream()
                .map(row -> Stream.of(
                                code(Optional.of(row.name())),
                                code(row.property()),
                                code(row.variable()),
                                words(row),
                                row.cells())
                        .collect(Collectors.joining(" | ", "| ", " |\n")))
                .collect(Collectors.joining());
        return between(former, TABLE_HEAD, "\n`SettingsTableTest`", TABLE_HEAD + table);
    }

    private static String code(Optional<String> name) {
        return name.map(text -> "`" + text + "`").orElse("–");
    }

    /** The default, as the document has it. */
    private static String words(Setting<?> row) {
        return row.initial()
                .filter(value -> row.otherwise().equals("none") && !value.equals(""))
                .map(value -> value instanceof Duration duration
                        ? duration.toSeconds() + " s"
                        : value instanceof Number || value instanceof Boolean
                                ? value.toString()
                                : code(Optional.of(value.toString())))
                .orElse(row.otherwise());
    }

    private static String cell(Setting<?> row, int index) {
        return row.cells().split(" \\| ", -1)[index];
    }

    // ---------------------------------------------------------------- Spring

    /** The metadata with a property for each key, after those that are the starter's own. */
    public static String metadata(String former, List<Setting<?>> rows, Map<String, String> defaults) {
        String properties = rows.stream()
                .flatMap(row -> row.property().stream().map(key -> property(key, row, defaults.get(row.key()))))
                .collect(Collectors.joining(",\n", "", "\n  "));
        return between(former, "    {\n      \"name\": \"quorate.node-id\"", "],\n  \"hints\"", properties);
    }

    private static String property(String key, Setting<?> row, String ownDefault) {
        Optional<String> initial = Optional.ofNullable(ownDefault)
                .or(() -> row.initial().filter(value -> !value.equals("")).map(value -> plain(words(row))))
                .map(text -> text.replaceFirst("^(\\d+) s$", "$1s"))
                .map(text -> row.type() == Boolean.class || row.type() == Integer.class ? text : "\"" + text + "\"");
        return "    {\n      \"name\": \"" + key + "\",\n      \"type\": \"" + type(row)
                + "\",\n      \"description\": \""
                + description(row) + "\""
                + initial.map(text -> ",\n      \"defaultValue\": " + text).orElse("") + "\n    }";
    }

    private static String type(Setting<?> row) {
        return row.type() == List.class
                ? "java.util.List<java.lang.String>"
                : row.type() == Path.class ? "java.lang.String" : row.type().getName();
    }

    private static String description(Setting<?> row) {
        String meaning = plain(cell(row, 2));
        String by = row.initial().isEmpty() && !row.otherwise().equals("none")
                ? " Default: " + plain(row.otherwise()) + "."
                : "";
        return meaning.substring(0, 1).toUpperCase(Locale.ROOT) + meaning.substring(1) + "."
                + (row.type().isEnum() || row.type() == Boolean.class ? "" : " Values: " + plain(cell(row, 0)) + ".")
                + (cell(row, 1).equals("yes") ? " Equal on all nodes." : "") + by;
    }

    private static String plain(String markdown) {
        return LINK.matcher(markdown)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1)))
                .replace("`", "");
    }

    /** The record that Spring binds, with a component for each of the starter's own keys and each key of the rows. */
    public static String record(String former, List<String> own, List<Setting<?>> rows) {
        List<String> components = new ArrayList<>();
        own.forEach(key -> components.add("@Nullable String " + camelCase(key.replaceFirst(".*\\.", ""))));
        Map<String, List<String>> nested = new TreeMap<>();
        for (Setting<?> row : rows) {
            String[] parts = row.key().split("\\.");
            String type = row.type() == List.class ? "@Nullable List<String> " : "@Nullable String ";
            String component = type + camelCase(parts[parts.length - 1]);
            if (parts.length > 1) {
                nested.computeIfAbsent(parts[0], name -> new ArrayList<>()).add(component);
            } else if (!row.key().isEmpty()) {
                components.add(component);
            }
        }
        nested.keySet().forEach(name -> components.add("@Nullable " + typeName(name) + " " + name));
        StringBuilder written = new StringBuilder(record("", "QuorateProperties", components)).append(" {\n");
        nested.forEach((name, parts) -> written.append('\n')
                .append(record("    ", typeName(name), parts))
                .append(" {}\n"));
        return between(former, "record QuorateProperties(", "\n    // The settings by their keys.", written.toString());
    }

    private static String record(String indentation, String name, List<String> components) {
        return components.stream()
                .map(each -> indentation + "        " + each)
                .collect(Collectors.joining(",\n", indentation + "record " + name + "(\n", ")"));
    }

    private static String typeName(String name) {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    private static String camelCase(String name) {
        return Pattern.compile("-(.)").matcher(name).replaceAll(found -> found.group(1)
                .toUpperCase(Locale.ROOT));
    }
}
