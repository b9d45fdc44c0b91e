package io.quorate.cli.migrate;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What to do about that for which nothing stands. */
final class Advice {

    static final String CLIENT_LINE =
            "build the client with ElectionClient.builder().nodeId(...).peers(...).build(), and"
                    + " take out the imports: docs/curator.md#migration";

    private static final String DATA =
            "ElectionClient has no such method: what reads or writes data stays with ZooKeeper";

    private static final String NO_ELECTION = "is no election: it stays with Curator, and needs a client of Curator";

    /** By the beginning of the full name; the longest one counts. */
    private static final TreeMap<String, String> OF_TYPES = new TreeMap<>(Map.ofEntries(
            Map.entry(CuratorTypes.CURATOR, "Quorate has no such type: docs/curator.md#migration"),
            Map.entry(CuratorTypes.CURATOR + ".RetryPolicy", CLIENT_LINE),
            Map.entry(CuratorTypes.CURATOR + ".retry.", CLIENT_LINE),
            Map.entry(CuratorTypes.CURATOR + ".ensemble.", CLIENT_LINE),
            Map.entry(CuratorTypes.CURATOR + ".framework.CuratorFrameworkFactory", CLIENT_LINE),
            Map.entry(
                    CuratorTypes.CURATOR + ".test.",
                    "a test needs no server: SimulatedCluster or FakeLeaderLatch of quorate-testkit,"
                            + " docs/testing.md"),
            Map.entry(
                    CuratorTypes.CURATOR + ".utils.CloseableUtils",
                    "write close(): client, latch and selector have it"),
            Map.entry(CuratorTypes.CURATOR + ".utils.CloseableExecutorService", "pass the ExecutorService in it"),
            Map.entry(CuratorTypes.CURATOR + ".framework.recipes.", NO_ELECTION),
            Map.entry(CuratorTypes.CURATOR + ".framework.api.", NO_ELECTION),
            Map.entry(CuratorTypes.CURATOR + ".x.", NO_ELECTION),
            Map.entry(
                    "org.apache.zookeeper.KeeperException",
                    "Quorate throws ConnectionLossException where Curator throws this: catch that, or leave it out")));

    /** What {@code CuratorFramework} has and {@code ElectionClient} has not, by the name of the method. */
    private static final Map<String, String> OF_METHODS = Map.ofEntries(
            Map.entry("checkExists", DATA),
            Map.entry("clearWatcherReferences", DATA),
            Map.entry("compressionEnabled", DATA),
            Map.entry("create", DATA),
            Map.entry("createContainers", DATA),
            Map.entry("delete", DATA),
            Map.entry("getACL", DATA),
            Map.entry("getChildren", DATA),
            Map.entry("getConfig", DATA),
            Map.entry("getCuratorListenable", DATA),
            Map.entry("getCurrentConfig", DATA),
            Map.entry("getData", DATA),
            Map.entry("getSchemaSet", DATA),
            Map.entry("getUnhandledErrorListenable", "leave it out: client.stopped() says whether a node has stopped"),
            Map.entry(
                    "getZookeeperClient",
                    "for isConnected() write client.connectionState().map(ConnectionState::isConnected).orElse(false)"),
            Map.entry("getZookeeperCompatibility", DATA),
            Map.entry("inTransaction", DATA),
            Map.entry("isStarted", "write getState() == ElectionClient.State.STARTED"),
            Map.entry("newNamespaceAwareEnsurePath", DATA),
            Map.entry("newWatcherRemoveCuratorFramework", DATA),
            Map.entry("nonNamespaceView", "put the namespace before the path, with a client that has none"),
            Map.entry("getNamespace", "a client keeps its namespace to itself: keep it where you set it"),
            Map.entry("postSafeNotify", DATA),
            Map.entry("reconfig", "the voters are processes of yours: client.changeVoters(...)"),
            Map.entry("runSafe", DATA),
            Map.entry("setACL", DATA),
            Map.entry("setData", DATA),
            Map.entry("sync", DATA),
            Map.entry("transaction", DATA),
            Map.entry("transactionOp", DATA),
            Map.entry(
                    "usingNamespace",
                    "put the namespace before the path of each latch, or set it once with .namespace(...) of the builder"),
            Map.entry("watchers", DATA),
            Map.entry("watches", DATA));

    static final String NOTHING_TO_IMPLEMENT =
            "ElectionClient is a class, so the file was left as it is: for tests take"
                    + " SimulatedCluster or FakeLeaderLatch, docs/testing.md";

    static final String WAITS_FOR_OTHERS =
            "waits for a majority of your own processes: leave it out, docs/curator.md#migration says why";

    static final String LOOKS_ONLY = "a process that only looks is a node too: build its client with .joins(true), and"
            + " look with a LeaderObserver, docs/migration.md#processes-that-only-look";

    static final String NO_PROXY = "take it out: nothing wraps listeners";

    static final String NO_FACTORY = "no constructor takes a ThreadFactory: pass an ExecutorService, or nothing";

    static final String COMPANION =
            "the old side of a tandem leads by Curator, so the file was left as it is: delete it"
                    + " with the old side";

    static final String NAME_TAKEN =
            "this name is taken here, so the file was left as it is: write" + " io.quorate.ElectionClient in full";

    static final String PACKAGE_OF_CURATOR = "this class stands in a package of Curator, so the file was left as it is:"
            + " move it to a package of your own";

    static final String WORKS_WITH_DATA =
            "works with data in ZooKeeper or with another recipe, so the file was left as it"
                    + " is: it needs a client of Curator";

    static final String STAR = "take it out when nothing else is used of it";

    static final String OVER_LINES = "a name with blanks or a comment inside: write it by hand";

    static final String MENTIONED = "a comment or a string names Curator: see whether it still holds";

    static final String OTHER_LANGUAGE = "only Java is changed: docs/curator.md#migration has the table of types";

    static final String DEPENDENCY =
            "add io.quorate:quorate, and take this out when nothing names Curator any more: README.md#use-it";

    static final String MODULE = "write requires io.quorate, and take this out when nothing names Curator any more";

    static final String READ = "see to it, and run this again";

    static final String BY_HAND = "the file was left as it is: change it by hand";

    static final String NAMED = "names Curator: docs/curator.md#migration";

    private Advice() {}

    /** What to do about a type of Curator or ZooKeeper that stays, if it needs something. */
    static Optional<String> ofType(String name) {
        return OF_TYPES.descendingMap().entrySet().stream()
                .filter(beginning -> name.startsWith(beginning.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** What to do about a method of the client that stays behind. */
    static Optional<String> ofMethod(String name) {
        return Optional.ofNullable(OF_METHODS.get(name));
    }

    /** Whether a type is about data or about another recipe, and not about elections or about making a client. */
    static boolean isOfData(String name) {
        return name.startsWith(CuratorTypes.CURATOR + ".framework.api.")
                || name.startsWith(CuratorTypes.CURATOR + ".x.")
                || name.startsWith(CuratorTypes.CURATOR + ".framework.recipes.")
                        && !name.startsWith(CuratorTypes.RECIPES + ".");
    }

    /** Whether a method reads or writes data. */
    static boolean isOfDataMethod(String name) {
        return DATA.equals(OF_METHODS.get(name));
    }
}
