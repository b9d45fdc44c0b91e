package io.quorate.cli;

import io.quorate.ElectionClient;
import io.quorate.ElectionConfig;
import io.quorate.ops.OpsServer;
import io.quorate.spi.TransportException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Runs a witness: a node that votes and has no latch, so that it can never lead. */
@Command(
        name = "voter",
        description = {
            "Runs a witness: a node that votes, and never leads. Ends on SIGTERM.",
            "Its settings come from variables such as QUORATE_NODE_ID, then from --settings, then from --set.",
            "Ends with 1 if it cannot start or has stopped by itself, 64 if the settings are wrong."
        },
        mixinStandardHelpOptions = true)
final class VoterCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(VoterCommand.class);

    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description = "Properties with the keys of the library, such as quorate.node-id=w1.")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "One such key, as quorate.node-id=w1; may be given more than once.")
    private Map<String, String> keys = new LinkedHashMap<>();

    @Option(
            names = "--http",
            paramLabel = "PORT",
            description = "Serve the endpoints of quorate-ops, without changes; 0 takes a free port.")
    private @Nullable Integer httpPort;

    @Option(
            names = "--http-address",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Where to serve them. Default ${DEFAULT-VALUE}.")
    private String httpAddress = "127.0.0.1";

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private Quorate quorate;

    @Override
    public Integer call() throws CommandFailed, InterruptedException {
        ElectionConfig config = config();
        if (config.joins() && config.dataDirectory().isEmpty()) {
            throw new CommandFailed(
                    Exit.USAGE,
                    "dataDirectory: must be given with joins: without one a node never comes to vote, and a witness"
                            + " does nothing else");
        }
        if (!config.joins() && !config.voters().contains(config.nodeId())) {
            throw new CommandFailed(
                    Exit.USAGE,
                    "nodeId '" + config.nodeId() + "': must be one of the voters " + config.voters()
                            + ": a witness does nothing but vote");
        }
        ElectionClient client = client(config);
        Optional<OpsServer> http = start(client);
        // SIGTERM: probes see the end of the client, and nobody waits for the support of a node that is gone.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            client.close();
                            http.ifPresent(OpsServer::close);
                        },
                        "quorate-voter-end"));
        LOG.info(
                "Node {}: {} in cluster {}, and contends for nothing",
                client.nodeId(),
                client.voters().ids().contains(client.nodeId()) ? "votes" : "waits to vote",
                client.clusterId());
        return awaitEnd(client);
    }

    private ElectionConfig config() throws CommandFailed {
        Properties set = new Properties();
        set.putAll(keys);
        for (String key : keys.keySet()) {
            if (!key.startsWith("quorate.")) {
                throw new CommandFailed(
                        Exit.USAGE, "--set " + Shown.of(key) + ": must be a key that begins with quorate.");
            }
        }
        try {
            ElectionConfig.Builder builder =
                    ElectionConfig.builder().transport("tcp").from(quorate.environment());
            if (file != null) {
                builder.from(read(file));
            }
            return builder.from(set).build();
        } catch (IllegalArgumentException e) {
            throw new CommandFailed(Exit.USAGE, String.valueOf(e.getMessage()));
        }
    }

    private static Properties read(Path file) throws CommandFailed {
        try {
            return SettingsFile.read(file);
        } catch (IllegalArgumentException e) {
            throw new CommandFailed(Exit.USAGE, "--settings '" + file + "': " + e.getMessage());
        }
    }

    private static ElectionClient client(ElectionConfig config) throws CommandFailed {
        try {
            return ElectionClient.create(config);
        } catch (IllegalArgumentException e) {
            throw new CommandFailed(Exit.USAGE, String.valueOf(e.getMessage()));
        }
    }

    /** HTTP comes first, so that probes see the start. */
    private Optional<OpsServer> start(ElectionClient client) throws CommandFailed {
        Optional<OpsServer> http = Optional.empty();
        try {
            if (httpPort != null) {
                http = Optional.of(OpsServer.builder(client)
                        .address(httpAddress)
                        .port(httpPort)
                        .start());
            }
            client.start();
            return http;
        } catch (IllegalArgumentException e) {
            client.close();
            throw new CommandFailed(Exit.USAGE, "--http: " + e.getMessage());
        } catch (UncheckedIOException | TransportException e) {
            client.close();
            http.ifPresent(OpsServer::close);
            throw new CommandFailed(Exit.NO, "cannot start: " + e.getMessage());
        }
    }

    /**
     * Waits until the client is closed.
     *
     * @throws CommandFailed if its node has stopped by itself
     */
    static int awaitEnd(ElectionClient client) throws CommandFailed, InterruptedException {
        try {
            Optional<RuntimeException> failure =
                    client.stopped().toCompletableFuture().get();
            if (failure.isPresent()) {
                // The library has logged it already.
                throw new CommandFailed(
                        Exit.NO,
                        "the node has stopped by itself: " + failure.get().getMessage());
            }
            return Exit.YES;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the end of the client is never exceptional", e);
        }
    }
}
