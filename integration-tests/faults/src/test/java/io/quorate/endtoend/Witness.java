package io.quorate.endtoend;

import com.fasterxml.jackson.core.JsonFactory;
import io.quorate.ElectionClient;
import io.quorate.ballot.BallotAlgorithm;
import io.quorate.cli.Quorate;
import io.quorate.ops.OpsServer;
import io.quorate.process.ChildJvm;
import io.quorate.process.Http;
import io.quorate.runtime.DriverProvider;
import io.quorate.tcp.TcpTransportProvider;
import io.quorate.testkit.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.simple.SimpleLoggerFactory;
import picocli.CommandLine;

/** A process of {@code quorate voter}, started as docs/command-line.md#witness says. */
final class Witness {

    private static final Path DOCUMENT = Path.of("..", "..", "plugin-api", "docs", "command-line.md");

    /** What the jar that runs by itself holds, and nothing else of this module's class path. */
    private static final String CLASS_PATH = Stream.of(
                    Quorate.class,
                    ElectionClient.class,
                    DriverProvider.class,
                    BallotAlgorithm.class,
                    TcpTransportProvider.class,
                    OpsServer.class,
                    CommandLine.class,
                    org.eclipse.jetty.server.Server.class,
                    org.eclipse.jetty.http.HttpField.class,
                    org.eclipse.jetty.io.EndPoint.class,
                    org.eclipse.jetty.util.Callback.class,
                    JsonFactory.class,
                    Logger.class,
                    SimpleLoggerFactory.class)
            .map(Witness::artifactOf)
            .collect(Collectors.joining(File.pathSeparator));

    private final ChildJvm jvm;
    private final int httpPort;

    private Witness(ChildJvm jvm, int httpPort) {
        this.jvm = jvm;
        this.httpPort = httpPort;
    }

    /**
     * Starts one.
     *
     * @param directory gets its log and its terms
     * @param settings  each as {@code quorate.key=value}
     */
    static Witness start(Path directory, List<String> settings) {
        int httpPort = FreePorts.take();
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(documentedOptions());
        words.addAll(List.of("-cp", CLASS_PATH, Quorate.class.getName(), "voter", "--http", "" + httpPort));
        settings.forEach(setting -> words.addAll(List.of("--set", setting)));
        words.addAll(List.of("--set", "quorate.data-directory=" + directory.resolve("terms")));
        return new Witness(
                ChildJvm.start("witness", words, Map.of("MALLOC_ARENA_MAX", "1"), directory.resolve("witness.log")),
                httpPort);
    }

    private static String artifactOf(Class<?> type) {
        return Path.of(URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString()))
                .toString();
    }

    /** The options of the JVM in the command of the document. */
    static List<String> documentedOptions() {
        Matcher command;
        try {
            command = Pattern.compile("(?m)^java (-X.*) -jar quorate-cli\\.jar voter$")
                    .matcher(Files.readString(DOCUMENT));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!command.find()) {
            throw new IllegalStateException("no such command in " + DOCUMENT);
        }
        return Arrays.asList(command.group(1).split(" "));
    }

    /** What it answers at {@code /status}; empty if it does not. */
    String status() {
        return Http.get("http://127.0.0.1:" + httpPort + "/status", Duration.ofSeconds(10))
                .map(HttpResponse::body)
                .orElse("");
    }

    /** Whether a majority of voters supports it. */
    boolean isUp() {
        return status().contains("\"state\":\"UP\"");
    }

    /** Whether all these voters support it. */
    boolean isSupportedBy(List<String> voters) {
        String supporters = status().replaceAll(".*\"supporters\":\\[(.*?)].*\\s*", "$1");
        return voters.stream().allMatch(voter -> supporters.contains("\"" + voter + "\""));
    }

    /** The memory that is in use by the process, in kilobytes, as Linux counts it. */
    long residentKilobytes() {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(jvm.pid()), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ChildJvm jvm() {
        return jvm;
    }

    String log() {
        return String.join("\n", jvm.log());
    }
}
