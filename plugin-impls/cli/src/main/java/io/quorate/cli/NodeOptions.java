package io.quorate.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Which nodes a command asks, and how it shows their answers. */
final class NodeOptions {

    static final String VARIABLE = "QUORATE_URLS";

    private static final String DEFAULT_URL = "http://127.0.0.1:8080";

    enum Format {
        TABLE,
        JSON
    }

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = {
                "Where the HTTP endpoints of a node are; give it once for each node.",
                "Without it, the variable " + VARIABLE + ", with commas; without that, " + DEFAULT_URL + "."
            })
    private List<String> urls = new ArrayList<>();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = Durations.class,
            description = "How long to wait for the answer of a node, such as 500ms. Default ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ofSeconds(5);

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, or json: one document in one line. Default ${DEFAULT-VALUE}.")
    private Format format = Format.TABLE;

    @Spec(Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec command;

    /**
     * Whom to ask.
     *
     * @throws ParameterException if an address is none
     */
    Nodes nodes() {
        String named = quorate().environment().getOrDefault(VARIABLE, "");
        if (!urls.isEmpty()) {
            return nodes("--url", urls);
        }
        return named.isBlank()
                ? nodes("--url", List.of(DEFAULT_URL))
                : nodes(VARIABLE, Arrays.asList(named.split(",", -1)));
    }

    private Nodes nodes(String source, List<String> texts) {
        try {
            return new Nodes(texts.stream().map(Url::of).distinct().toList(), timeout);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), source + " " + e.getMessage());
        }
    }

    /** How long to wait for the answer of a node. */
    Duration timeout() {
        return timeout;
    }

    boolean isJson() {
        return format == Format.JSON;
    }

    Quorate quorate() {
        return (Quorate) command.root().userObject();
    }
}
