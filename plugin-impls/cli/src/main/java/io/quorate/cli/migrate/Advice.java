package io.quorate.cli.migrate;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** The manual step for each thing that the recipe leaves. */
final class Advice {

    private static final String CLIENT_LINE =
            "build the client with ElectionClient.builder().nodeId(...).peers(...).build(), and"
                    + " remove the imports: docs/curator.md#migration";

    /** By the beginning of a full name; the longest one counts. */
    private static final Map<String, String> OF_TYPES = Map.ofEntries(
            Map.entry("org.apache.curator.RetryPolicy", CLIENT_LINE),
            Map.entry("org.apache.curator.retry", CLIENT_LINE),
            Map.entry("org.apache.curator.ensemble", CLIENT_LINE),
            Map.entry("org.apache.curator.framework.CuratorFrameworkFactory", CLIENT_LINE),
            Map.entry(
                    "org.apache.curator.framework.recipes.leader",
                    "run the recipe first, or write io.quorate: docs/migration.md#the-recipe"),
            Map.entry(
                    "org.apache.curator.test",
                    "a test does not need a server: SimulatedCluster or FakeLeaderLatch of quorate-testkit,"
                            + " docs/testing.md"),
            Map.entry("org.apache.curator.utils.CloseableUtils", "write close(): client, latch and selector have it"),
            Map.entry("org.apache.curator.utils.CloseableExecutorService", "pass the ExecutorService in it"),
            Map.entry(
                    "org.apache.zookeeper.KeeperException",
                    "Quorate throws ConnectionLossException where Curator throws this: catch that, or nothing"));

    /** Methods of {@code CuratorFramework} that {@code ElectionClient} lacks, or that do something else there. */
    private static final Map<String, String> OF_METHODS = Map.of(
            "blockUntilConnected",
            "waits for a majority of your own processes: remove it, docs/curator.md#migration says why",
            "getNamespace",
            "a client does not tell its namespace: keep it where you set it",
            "getUnhandledErrorListenable",
            "remove it: client.stopped() says whether a node has stopped",
            "getZookeeperClient",
            "for isConnected() write client.connectionState().map(ConnectionState::isConnected).orElse(false)",
            "isStarted",
            "write getState() == ElectionClient.State.STARTED",
            "nonNamespaceView",
            "put the namespace before the path, with a client that has none",
            "usingNamespace",
            "put the namespace before the path of each latch, or set it once with .namespace(...) of the builder");

    static final String LOOKS_ONLY = "a process that only looks is a node too: build its client with .joins(true), and"
            + " look with a LeaderObserver, docs/migration.md#processes-that-only-look";

    static final String OTHER_LANGUAGE =
            "the recipe changes only Java: docs/curator.md#migration has the table of types";

    static final String DEPENDENCY =
            "add io.quorate:quorate, and remove this when nothing names Curator any more: README.md#use-it";

    static final String MODULE = "write requires io.quorate, and remove this when nothing names Curator any more";

    static final String SERVERS =
            "Quorate does not need servers: list your own processes in .peers(...), and remove this"
                    + " unless you keep data in ZooKeeper";

    static final String READ = "look at it by hand, and run this again";

    static final String NAMED = "names Curator: docs/curator.md#migration";

    private Advice() {}

    /** The manual step for a full name, if it needs one. */
    static Optional<String> ofType(String name) {
        return OF_TYPES.entrySet().stream()
                .filter(each -> name.startsWith(each.getKey()))
                .max(Comparator.comparingInt(each -> each.getKey().length()))
                .map(Map.Entry::getValue);
    }

    /** The manual step for a method of the client. */
    static Optional<String> ofMethod(String name) {
        return Optional.ofNullable(OF_METHODS.get(name));
    }
}
