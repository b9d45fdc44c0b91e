package io.quorate.cli;

import io.quorate.ElectionConfig;
import io.quorate.cli.ConfigDifferences.Checked;
import io.quorate.cli.ConfigDifferences.Difference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks files of settings, and what differs between those of several nodes. Opens no port. */
@Command(
        name = "check",
        description = {
            "Checks files of settings as the library does, and says what differs between nodes and must not.",
            "Reads the files of secrets and certificates that they name. Ends with 0 if all is well, else with 1."
        },
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Properties with the keys of the library, such as quorate.node-id=n1.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, or json: one document in one line. Default ${DEFAULT-VALUE}.")
    private NodeOptions.Format format = NodeOptions.Format.TABLE;

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    /**
     * The result for a file.
     *
     * @param right empty if there is a fault
     * @param fault what is wrong, all of it in one sentence; empty if nothing is
     */
    private record Found(Path file, Optional<Checked> right, String fault) {}

    @Override
    public Integer call() {
        List<Found> all = files.stream().map(CheckCommand::check).toList();
        List<Difference> differences = ConfigDifferences.of(
                all.stream().flatMap(each -> each.right.stream()).toList());
        boolean isJson = format == NodeOptions.Format.JSON;
        spec.commandLine().getOut().println(isJson ? json(all, differences) : text(all, differences));
        return isWell(all, differences) ? Exit.YES : Exit.NO;
    }

    private static boolean isWell(List<Found> all, List<Difference> differences) {
        return differences.isEmpty() && all.stream().allMatch(each -> each.right.isPresent());
    }

    private static Found check(Path file) {
        try {
            Properties properties = SettingsFile.read(file);
            ElectionConfig config = ElectionConfig.builder().from(properties).build();
            return new Found(file, Optional.of(Checked.of(file, properties, config)), "");
        } catch (IllegalArgumentException e) {
            return new Found(file, Optional.empty(), Shown.whole(String.valueOf(e.getMessage())));
        }
    }

    private static String text(List<Found> all, List<Difference> differences) {
        List<String> lines = new ArrayList<>();
        for (Found each : all) {
            lines.add(each.file + ": "
                    + each.right
                            .map(right -> "node " + right.config().nodeId() + ", no fault")
                            .orElse(each.fault));
            each.right.ifPresent(right -> right.remarks().forEach(remark -> lines.add("  " + remark)));
        }
        differences.forEach(difference -> lines.add(difference.toString()));
        return String.join("\n", lines);
    }

    private static String json(List<Found> all, List<Difference> differences) {
        return JsonLine.of(json -> {
            json.writeBooleanField("ok", isWell(all, differences));
            JsonLine.objects(json, "files", all, (object, each) -> {
                object.writeStringField("file", each.file.toString());
                JsonLine.text(
                        object, "node", each.right.map(right -> right.config().nodeId()));
                JsonLine.text(object, "fault", each.right.isPresent() ? Optional.empty() : Optional.of(each.fault));
                JsonLine.texts(
                        object, "remarks", each.right.map(Checked::remarks).orElse(List.of()));
            });
            JsonLine.objects(json, "differences", differences, (object, difference) -> {
                object.writeStringField("key", difference.key());
                object.writeStringField("rule", difference.rule());
                JsonLine.objects(object, "values", difference.files().entrySet(), (inner, value) -> {
                    inner.writeStringField("value", value.getKey());
                    JsonLine.texts(inner, "files", value.getValue());
                });
            });
        });
    }
}
