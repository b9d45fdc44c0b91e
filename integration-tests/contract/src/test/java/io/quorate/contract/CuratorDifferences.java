package io.quorate.contract;

import io.quorate.CancelLeadershipException;
import io.quorate.ConnectionState;
import io.quorate.ConnectionStateErrorPolicy;
import io.quorate.ConnectionStateListener;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.LeaderSelector;
import io.quorate.LeaderSelectorListener;
import io.quorate.LeaderSelectorListenerAdapter;
import io.quorate.Listenable;
import io.quorate.Participant;
import io.quorate.SessionConnectionStateErrorPolicy;
import io.quorate.StandardConnectionStateErrorPolicy;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;

/** In what the classes of Quorate that replace one of Curator's differ from it, and why. */
final class CuratorDifferences {

    /** The rest of it reads and writes the data of ZooKeeper. */
    static final Set<String> COMPARED_OF_CLIENT = Set.of(
            "start",
            "close",
            "getState",
            "blockUntilConnected",
            "getConnectionStateListenable",
            "getConnectionStateErrorPolicy");

    /** From each of our classes to the one that it replaces. */
    private static final Map<Class<?>, Class<?>> REPLACED = Map.ofEntries(
            Map.entry(LeaderLatch.class, curators("recipes.leader.LeaderLatch")),
            Map.entry(LeaderLatch.State.class, curators("recipes.leader.LeaderLatch$State")),
            Map.entry(LeaderLatch.CloseMode.class, curators("recipes.leader.LeaderLatch$CloseMode")),
            Map.entry(LeaderLatchListener.class, curators("recipes.leader.LeaderLatchListener")),
            Map.entry(Participant.class, curators("recipes.leader.Participant")),
            Map.entry(LeaderSelector.class, curators("recipes.leader.LeaderSelector")),
            Map.entry(LeaderSelectorListener.class, curators("recipes.leader.LeaderSelectorListener")),
            Map.entry(LeaderSelectorListenerAdapter.class, curators("recipes.leader.LeaderSelectorListenerAdapter")),
            Map.entry(CancelLeadershipException.class, curators("recipes.leader.CancelLeadershipException")),
            Map.entry(ConnectionState.class, curators("state.ConnectionState")),
            Map.entry(ConnectionStateListener.class, curators("state.ConnectionStateListener")),
            Map.entry(ConnectionStateErrorPolicy.class, curators("state.ConnectionStateErrorPolicy")),
            Map.entry(StandardConnectionStateErrorPolicy.class, curators("state.StandardConnectionStateErrorPolicy")),
            Map.entry(SessionConnectionStateErrorPolicy.class, curators("state.SessionConnectionStateErrorPolicy")),
            Map.entry(Listenable.class, curators("listen.Listenable")),
            Map.entry(ElectionClient.class, CuratorFramework.class),
            Map.entry(ElectionClient.State.class, CuratorFrameworkState.class));

    /**
     * A difference that is meant.
     *
     * @param type       the class, by its name in Quorate
     * @param inDocument the words by which docs/curator.md#differences names it
     * @param reason     why it is better so
     * @param lines      of {@link Signatures#differences}, without the name of the class
     */
    record Difference(String type, String inDocument, String reason, List<String> lines) {

        private Stream<String> found() {
            return lines.stream().map(line -> line.substring(0, 2) + type + ": " + line.substring(2));
        }
    }

    private static Difference of(String type, String inDocument, String reason, String... lines) {
        return new Difference(type, inDocument, reason, List.of(lines));
    }

    /** All that are meant. */
    static final List<Difference> MEANT = List.of(
            of(
                    "LeaderLatch",
                    "`fencingToken`",
                    "users of Curator asked for it (CURATOR-537)",
                    "+ public long fencingToken()"),
            of(
                    "LeaderLatch",
                    "`leadership`",
                    "token and time left belong to one moment",
                    "+ public Optional<Leadership> leadership()"),
            of(
                    "LeaderLatch",
                    "`resign`",
                    "Curator's latch can only be closed, and never started again",
                    "+ public boolean resign()"),
            of(
                    "LeaderLatch",
                    "`resignIfListenerThrows`",
                    "a leader whose callback threw does no work",
                    "+ public void resignIfListenerThrows(boolean)"),
            of(
                    "LeaderLatch",
                    "`transferTo`",
                    "a hand-over to one of the others, for maintenance",
                    "+ public CompletionStage<Void> transferTo(String)",
                    "+ public void transferTo(String,long,TimeUnit) throws InterruptedException,TimeoutException"),
            of(
                    "LeaderLatch",
                    "`drain`",
                    "what is under way must not run beside the successor's",
                    "+ public void drain(Function<? super Leadership, ? extends CompletionStage<?>>)",
                    "+ public void drain(Function<? super Leadership, ? extends CompletionStage<?>>,Duration)"),
            of(
                    "LeaderLatch",
                    "`explain`",
                    "an await that does not return needs a reason in the log",
                    "+ public Explanation explain()"),
            of(
                    "LeaderLatch",
                    "`awaitAsync`, `closeAsync`, `getLeaderAsync` and `getParticipantsAsync`",
                    "no thread has to wait",
                    "+ public CompletionStage<Long> awaitAsync()",
                    "+ public CompletionStage<Void> closeAsync()",
                    "+ public CompletionStage<Void> closeAsync(LeaderLatch.CloseMode)",
                    "+ public CompletionStage<Participant> getLeaderAsync()",
                    "+ public CompletionStage<Collection<Participant>> getParticipantsAsync()"),
            of(
                    "LeaderLatch",
                    "a `protected` constructor",
                    "a tandem is a latch, and an artifact of its own",
                    "+ protected LeaderLatch(ElectionClient,String,BiFunction<Engine, LatchCallbacks, LatchContender>)"),
            of(
                    "LeaderSelector",
                    "`getLeaderAsync` and `getParticipantsAsync`",
                    "no thread has to wait",
                    "+ public CompletionStage<Participant> getLeaderAsync()",
                    "+ public CompletionStage<Collection<Participant>> getParticipantsAsync()"),
            of(
                    "LeaderSelector",
                    "`CloseableExecutorService`",
                    "the type belongs to Curator, ExecutorService does it",
                    "- public LeaderSelector(ElectionClient,String,CloseableExecutorService,LeaderSelectorListener)"),
            of(
                    "LeaderSelector",
                    "`ThreadFactory`",
                    "deprecated in Curator, where the factory is ignored",
                    "- public LeaderSelector(ElectionClient,String,ThreadFactory,Executor,LeaderSelectorListener)"),
            of(
                    "LeaderSelector",
                    "`close` and `interruptLeadership` are not `synchronized`",
                    "a listener that holds the selector's monitor must not delay the end of leadership",
                    "- public synchronized void close()",
                    "+ public void close()",
                    "- public synchronized void interruptLeadership()",
                    "+ public void interruptLeadership()"),
            of("LeaderSelector", "`toString`", "it names itself in the log", "+ public String toString()"),
            of(
                    "ConnectionState",
                    "not `abstract`",
                    "nobody can extend an enum, so nobody can tell",
                    "- public abstract enum ConnectionState extends Enum<ConnectionState>",
                    "+ public final enum ConnectionState extends Enum<ConnectionState>",
                    "- public abstract boolean isConnected()",
                    "+ public boolean isConnected()"),
            of(
                    "ConnectionStateListener",
                    "`doNotProxy`",
                    "there is no circuit breaker that could wrap a listener",
                    "- public default boolean doNotProxy()"),
            of(
                    "ElectionClient",
                    "a class",
                    "its builder needs no factory class, and there is one implementation",
                    "- public abstract interface ElectionClient extends Closeable",
                    "+ public class ElectionClient extends Closeable, Object"),
            of(
                    "ElectionClient",
                    "`builder`",
                    "stands for CuratorFrameworkFactory",
                    "+ public static ElectionClient.Builder builder()"),
            of(
                    "ElectionClient",
                    "`create`",
                    "a client from settings that were kept or read from somewhere",
                    "+ public static ElectionClient create(ElectionConfig)"),
            of(
                    "ElectionClient",
                    "`startAsync` and `closeAsync`",
                    "an event loop must not wait",
                    "+ public CompletionStage<Void> startAsync()",
                    "+ public CompletionStage<Void> closeAsync()"),
            of(
                    "ElectionClient",
                    "`certificateEnd`",
                    "a certificate that ends ends the cluster, unless somebody watches it",
                    "+ public Optional<Instant> certificateEnd()"),
            of(
                    "ElectionClient",
                    "`problems`",
                    "a fault that only the log names is found too late",
                    "+ public List<Problem> problems()"),
            of(
                    "ElectionClient",
                    "`connectionState`, `failure` and `stopped`",
                    "nobody has to listen or poll in order to know how the node stands",
                    "+ public Optional<ConnectionState> connectionState()",
                    "+ public Optional<RuntimeException> failure()",
                    "+ public CompletionStage<Optional<RuntimeException>> stopped()"),
            of(
                    "ElectionClient",
                    "`health`, `probe` and `turnAge`",
                    "a probe wants one value, which it has not to listen for",
                    "+ public Health health()",
                    "+ public Health probe()",
                    "+ public Duration turnAge()"),
            of(
                    "ElectionClient",
                    "`standby` and `eligibleWhile`",
                    "a process that is not to lead must not leave the queue: it may be the last",
                    "+ public void eligibleWhile(BooleanSupplier)",
                    "+ public void standby(boolean)"),
            of(
                    "ElectionClient",
                    "`priority`",
                    "who should lead first may change while processes run",
                    "+ public void priority(int)"),
            of(
                    "ElectionClient",
                    "`explain` and `transferTo`",
                    "an operator has a path and no latch",
                    "+ public Optional<Explanation> explain(String)",
                    "+ public CompletionStage<Void> transferTo(String,String)"),
            of(
                    "ElectionClient",
                    "`leaving`, `stages` and `misplaced`",
                    "an operator who has asked for an end wants to see what it waits for, and which leaders to move",
                    "+ public SortedMap<String, String> leaving()",
                    "+ public SortedMap<String, Stage> stages()",
                    "+ public OptionalInt misplaced()"),
            of(
                    "ElectionClient",
                    "`voters` and `changeVoters`",
                    "there is no ensemble beside the application, so it is the one to change who votes",
                    "+ public CompletionStage<Voters> changeVoters(long,String...)",
                    "+ public Voters voters()"),
            of(
                    "ElectionClient",
                    "`addMonitor` and `removeMonitor`",
                    "meters and pages want every event of a client, and no event of one listener alone",
                    "+ public void addMonitor(ClientMonitor)",
                    "+ public void removeMonitor(ClientMonitor)"),
            of(
                    "ElectionClient",
                    "`nodeId` and `clusterId`",
                    "a status page says whose it is",
                    "+ public String nodeId()",
                    "+ public String clusterId()"),
            of(
                    "ElectionClient.State",
                    "`CuratorFrameworkState`",
                    "stands where LeaderLatch.State stands: in its class",
                    "- public final enum ElectionClient.State extends Enum<ElectionClient.State>",
                    "+ public static final enum ElectionClient.State extends Enum<ElectionClient.State>"));

    private CuratorDifferences() {}

    /** What is found and not meant, or meant and not found. */
    static Set<String> surprises(Collection<Difference> meant, Set<String> found) {
        Set<String> expected = meant.stream().flatMap(Difference::found).collect(Collectors.toSet());
        Set<String> surprises = new TreeSet<>();
        found.stream().filter(line -> !expected.contains(line)).forEach(line -> surprises.add("not meant: " + line));
        expected.stream().filter(line -> !found.contains(line)).forEach(line -> surprises.add("not found: " + line));
        return surprises;
    }

    private static Class<?> curators(String name) {
        try {
            return Class.forName("org.apache.curator.framework." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** All that there are. */
    static Set<String> found() {
        return REPLACED.entrySet().stream()
                .flatMap(pair -> differences(pair.getValue(), pair.getKey()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** From each of our classes to the one that it replaces. */
    static Map<Class<?>, Class<?>> replaced() {
        return REPLACED;
    }

    /** The class of Curator that stands behind one of ours. */
    static Class<?> replacedBy(String type) {
        return REPLACED.entrySet().stream()
                .filter(pair -> pair.getKey().getSimpleName().equals(type))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    private static Stream<String> differences(Class<?> curator, Class<?> quorate) {
        boolean isClient = curator == CuratorFramework.class;
        return Signatures.differences(curator, quorate, name -> !isClient || COMPARED_OF_CLIENT.contains(name))
                .stream();
    }
}
