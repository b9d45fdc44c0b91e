package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import io.quorate.testkit.Deadline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** Three nodes in small JVMs of their own, which are asked how they are before and after an attack. */
final class AttackedCluster implements AutoCloseable {

    static final String CLUSTER = "attacked";

    private static final Duration DEADLINE = Duration.ofMinutes(10);
    private static final long HEAP_BYTES_MAX = 8L << 20;
    private static final int LINES_MAX = 9;
    /**
     * How a node says that it does not hear another, or does again. If others keep the processors busy, that says
     * nothing of an attack; else it does.
     */
    private static final List<String> HEARING =
            List.of(": SUSPENDED: ", ": RECONNECTED: ", " does not answer: ", " answers again");
    /** No run of these tests comes near it, unless an attack uses terms up. */
    private static final long TERM_MAX = 1L << 30;
    /** What the word of a voter may add to that at one time, docs/protocol.md#authority. */
    private static final long LEAP_MAX = 1L << 40;
    /** What else runs on the machine must not cost a lease: that would be held against the attack. */
    private static final Duration SUPPORT = Duration.ofSeconds(3);

    private static final List<String> OPTIONS = List.of(
            "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.defaultLogLevel=info");

    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Path directory;
    private final String transport;
    private final String peers;

    /**
     * What a node says.
     *
     * @param token    of its tenure; 0 if it does not lead
     * @param tenures  how many it has had
     * @param cpuNanos what its process has used so far
     * @param heap     what it holds, in bytes; 0 if it was not asked to weigh that
     * @param dropped  how many frames it has dropped, by reason; it is told of them once a second
     */
    record Answer(boolean leads, long token, int tenures, int contenders, long cpuNanos, long heap, String dropped) {
        private static Answer of(String line) {
            String[] words = line.split(" ", -1);
            return new Answer(
                    Boolean.parseBoolean(words[0]),
                    Long.parseLong(words[1]),
                    Integer.parseInt(words[2]),
                    Integer.parseInt(words[3]),
                    Long.parseLong(words[4]),
                    Long.parseLong(words[5]),
                    words[6]);
        }
    }

    /**
     * Leadership has changed during an attack, or the attack did not come to its end, while others kept the processors
     * busy: either may be the reason. Whoever can attack once more from the start does; an attack that harms does so each
     * time.
     */
    static final class Inconclusive extends AssertionError {
        private static final long serialVersionUID = 1;

        private Inconclusive(String message) {
            super(message);
        }
    }

    /** How a node's settings differ from what all have. */
    interface Settings {
        /** Puts them in. */
        void put(String node, Properties into) throws Exception;
    }

    private static final class Node {
        private final String id;
        private final String address;
        private final Path properties;
        private final Path log;
        private ChildJvm jvm;

        private Node(String id, String address, Path properties, Path log) {
            this.id = id;
            this.address = address;
            this.properties = properties;
            this.log = log;
            restart();
        }

        private void restart() {
            jvm = ChildJvm.start(
                    id, ChildJvm.Command.of(AttackedNode.class, List.of(properties.toString()), OPTIONS), log);
        }

        private Answer ask() {
            return tell(AttackedNode.STATE);
        }

        private Answer tell(String command) {
            return Answer.of(jvm.ask(command));
        }
    }

    /** Starts it, and waits until one leads and all know it. */
    AttackedCluster(Path directory, String transport, Settings settings) throws Exception {
        this(directory, transport, Cluster.freeAddresses(List.of("n1", "n2", "n3")), settings);
    }

    AttackedCluster(Path directory, String transport, Map<String, String> addresses, Settings settings)
            throws Exception {
        this.directory = directory;
        this.transport = transport;
        peers = Cluster.peers(addresses);
        for (Map.Entry<String, String> node : addresses.entrySet()) {
            String id = node.getKey();
            nodes.put(id, node(id, node.getValue(), settings));
        }
        await("one leads, and all know it", () -> {
            List<Answer> answers = answers(ids());
            return answers.stream().filter(Answer::leads).count() == 1
                    && answers.stream().allMatch(answer -> answer.contenders() == nodes.size());
        });
    }

    private Node node(String id, String address, Settings settings) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("quorate.node-id", id);
        properties.setProperty("quorate.cluster-id", CLUSTER);
        properties.setProperty("quorate.peers", peers);
        properties.setProperty("quorate.transport", transport);
        properties.setProperty("quorate.support", SUPPORT.toSeconds() + "s");
        properties.setProperty(
                "quorate.data-directory",
                Files.createDirectory(directory.resolve("data-" + id)).toString());
        settings.put(id, properties);
        Path file = directory.resolve(id + ".properties");
        try (var out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        }
        return new Node(id, address, file, directory.resolve(id + ".log"));
    }

    /** A contender that no list names, and that listens nowhere. Its process is the caller's to end. */
    ChildJvm guest(String id, Settings settings) throws Exception {
        return node(id, "", (node, properties) -> {
                    properties.setProperty("quorate.joins", "true");
                    // Whoever has one may come to vote, and is to be found at an address.
                    properties.remove("quorate.data-directory");
                    settings.put(node, properties);
                })
                .jvm;
    }

    List<String> ids() {
        return List.copyOf(nodes.keySet());
    }

    String address(String id) {
        return nodes.get(id).address;
    }

    ChildJvm jvm(String id) {
        return nodes.get(id).jvm;
    }

    /** Some node that is not this one. */
    String anotherThan(String id) {
        return ids().stream().filter(each -> !each.equals(id)).findFirst().orElseThrow();
    }

    private List<Answer> answers(List<String> of) {
        return of.stream().map(id -> nodes.get(id).ask()).toList();
    }

    void await(String what, BooleanSupplier condition) {
        Deadline.repeat(() -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100)), condition, () -> what + this);
    }

    /** The node that leads, of these. */
    String leader(List<String> of) {
        // Asked once: on a busy machine it may lead no more a moment later.
        AtomicReference<String> leading = new AtomicReference<>("");
        await("one leads", () -> {
            of.stream().filter(id -> nodes.get(id).ask().leads()).findFirst().ifPresent(leading::set);
            return !leading.get().isEmpty();
        });
        return leading.get();
    }

    /** Looks at these nodes from now on. */
    Watch watch(List<String> asked) {
        return new Watch(asked);
    }

    /**
     * What must not change whatever is done to some nodes, from the making of this on: who leads, in which tenure, and
     * that nobody else has led meanwhile. Each attack has room for so much heap and so many lines of its own.
     */
    final class Watch {
        private final List<String> asked;
        private final String leader;
        private final Map<String, Answer> first = new LinkedHashMap<>();
        private final Map<String, Integer> lines = new LinkedHashMap<>();
        private Processors processors;

        private Watch(List<String> asked) {
            this.asked = asked;
            leader = AttackedCluster.this.leader(asked);
            for (String id : asked) {
                first.put(id, nodes.get(id).ask());
                lines.put(id, nodes.get(id).jvm.log().size());
            }
            processors = Processors.now(cpu(first));
        }

        private Duration cpu(Map<String, Answer> answers) {
            return Duration.ofNanos(
                    answers.values().stream().mapToLong(Answer::cpuNanos).sum());
        }

        /** The node that leads all the time. */
        String leader() {
            return leader;
        }

        /** What such an attack does late shows at the next one, or here. */
        void isUnharmedInTheEnd() {
            isUnharmedBy(() -> Awaitility.await()
                    .pollDelay(SUPPORT.plusMillis(500))
                    .atMost(DEADLINE)
                    .until(() -> true));
        }

        void isUnharmedBy(Runnable attack) {
            Map<String, Long> heaps = new LinkedHashMap<>();
            asked.forEach(id -> heaps.put(id, heap(id)));
            runToItsEnd(attack);
            Map<String, Answer> last = new LinkedHashMap<>();
            asked.forEach(id -> last.put(id, nodes.get(id).tell(AttackedNode.WEIGH)));
            Processors before = processors;
            processors = Processors.now(cpu(last));
            double others = processors.othersSince(before);
            if (others >= Processors.OTHERS_MAX && asked.stream().anyMatch(id -> hasChanged(id, last.get(id)))) {
                throw new Inconclusive(String.format(
                        "leadership has changed while others took %.1f processors: %s", others, AttackedCluster.this));
            }
            for (String id : asked) {
                Answer after = last.get(id);
                assertThat(after.leads())
                        .as("%s leads, as it did before; %s", id, AttackedCluster.this)
                        .isEqualTo(id.equals(leader));
                assertThat(after.token())
                        .as("token of %s", id)
                        .isEqualTo(first.get(id).token());
                assertThat(after.tenures())
                        .as("tenures of %s; %s", id, AttackedCluster.this)
                        .isEqualTo(first.get(id).tenures());
                assertThat(after.heap() - heaps.get(id))
                        .as("the heap of %s has grown by", id)
                        .isLessThan(HEAP_BYTES_MAX);
                logIsReadable(id, others);
            }
        }

        /** Frames of an attack that nobody has handled in time show nothing, unless the machine was quiet. */
        private void runToItsEnd(Runnable attack) {
            try {
                attack.run();
            } catch (AssertionError e) {
                Map<String, Answer> now = new LinkedHashMap<>();
                asked.forEach(id -> now.put(id, nodes.get(id).ask()));
                double others = Processors.now(cpu(now)).othersSince(processors);
                String what = String.format("while others took %.1f processors: %s", others, AttackedCluster.this);
                throw others >= Processors.OTHERS_MAX
                        ? new Inconclusive(e.getMessage() + ", " + what)
                        : new AssertionError(what, e);
            }
        }

        private boolean hasChanged(String id, Answer after) {
            return after.leads() != id.equals(leader)
                    || after.token() != first.get(id).token()
                    || after.tenures() != first.get(id).tenures();
        }

        private void logIsReadable(String id, double others) {
            List<String> log = nodes.get(id).jvm.log();
            List<String> fresh = counted(log.subList(lines.get(id), log.size()), others);
            lines.put(id, log.size());
            assertThat(fresh)
                    .as("log of %s, while others took %.1f processors", id, others)
                    .hasSizeLessThanOrEqualTo(LINES_MAX);
            assertThat(fresh)
                    .noneMatch(line -> line.contains("\u001b")
                            || line.startsWith("[main] ERROR")
                            // Names why a peer is not reached.
                            || line.contains("Exception") && !line.contains(": cannot reach ")
                            || line.contains("OutOfMemoryError")
                            || line.startsWith("\tat "));
        }
    }

    /** The lines that count as brought about by an attack, during which others have used so many processors. */
    static List<String> counted(List<String> lines, double others) {
        return others < Processors.OTHERS_MAX
                ? lines
                : lines.stream()
                        .filter(line -> HEARING.stream().noneMatch(line::contains))
                        .toList();
    }

    /** Whether some line of the node's log has this in it. */
    boolean hasLogged(String id, String part) {
        return timesLogged(id, part) > 0;
    }

    /** How many lines of the node's log have this in them. */
    int timesLogged(String id, String part) {
        return (int) nodes.get(id).jvm.log().stream()
                .filter(line -> line.contains(part))
                .count();
    }

    /** Waits until the node's own thread has handled what had arrived. */
    void awaitHandled(String id) {
        nodes.get(id).ask();
    }

    /** How many frames the node has dropped for this reason. */
    long dropped(String id, String reason) {
        Matcher count = Pattern.compile("[{,]" + reason + "=(\\d+)")
                .matcher(nodes.get(id).ask().dropped());
        return count.find() ? Long.parseLong(count.group(1)) : 0;
    }

    /** What the process of the node has used so far. */
    Duration cpu(String id) {
        return Duration.ofNanos(nodes.get(id).ask().cpuNanos());
    }

    /** Starts a node again whose process has ended. */
    void restart(String id) {
        nodes.get(id).restart();
        await(id + " is back", () -> contenders(id) == nodes.size());
    }

    /** Latches come and go on the node from now on. */
    void churn(String id) {
        nodes.get(id).tell(AttackedNode.CHURN);
    }

    long heap(String id) {
        return nodes.get(id).tell(AttackedNode.WEIGH).heap();
    }

    /** After all attacks the leader ends, and another one leads. */
    void electsAnother() {
        electsAnother(TERM_MAX);
    }

    /** The same after somebody was heard in the name of a voter, and has said of terms once what a voter may. */
    void electsAnotherAfterALeap() {
        electsAnother(LEAP_MAX + TERM_MAX);
    }

    private void electsAnother(long termMax) {
        String leader = leader(ids());
        long token = nodes.get(leader).ask().token();
        nodes.get(leader).jvm.end();
        List<String> others = ids().stream().filter(id -> !id.equals(leader)).toList();
        String next = leader(others);
        assertThat(nodes.get(next).ask().token())
                .as("a later term, and no attack has used terms up")
                .isBetween(token + 1, termMax);
    }

    /** How many contenders the node knows. */
    int contenders(String id) {
        return nodes.get(id).ask().contenders();
    }

    /** The end of each node's log. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        nodes.values().forEach(node -> text.append("\n  ").append(node.jvm.describe()));
        return text.toString();
    }

    @Override
    public void close() {
        nodes.values().forEach(node -> node.jvm.end());
    }
}
