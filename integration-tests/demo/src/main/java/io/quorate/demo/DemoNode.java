package io.quorate.demo;

import io.quorate.ElectionClient;
import io.quorate.Explanation;
import io.quorate.LeaderLatch;
import io.quorate.Participant;
import io.quorate.Profile;
import io.quorate.history.HistoryFile;
import io.quorate.ops.OpsServer;
import io.quorate.process.NodeMain;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The application of the demo: holds one latch and says all the time whether it leads.
 *
 * <p>Arguments: node id, peers, algorithm, transport, data directory, history file. What the environment sets of
 * Quorate counts more. Reads one command per line:
 * {@code participants} asks who contends, {@code view <number>} what the node knows without asking, {@code close} hands
 * leadership over and closes; {@code voters <number> <ids>} has these vote; the end of the input ends the process. Writes one event per line, which
 * {@link NodeProcess} reads.
 */
public final class DemoNode {

    /** A variable of the environment: set if the clock of the process may be wrong. */
    public static final String WRONG_CLOCK = "QUORATE_DEMO_WRONG_CLOCK";

    /** A variable of the environment: the name of a {@link Profile}, if not the default one. */
    public static final String PROFILE = "QUORATE_DEMO_PROFILE";

    /** A variable of the environment: the port at which the process answers over HTTP, if it shall. */
    public static final String HTTP_PORT = "QUORATE_DEMO_HTTP_PORT";

    /** A variable of the environment: for how many further paths the process contends; they get no writes. */
    public static final String FURTHER_PATHS = "QUORATE_DEMO_FURTHER_PATHS";

    private static final String OWN_VARIABLES = "QUORATE_DEMO_";

    /** What the nodes contend for. */
    public static final String PATH = "/demo/leader";

    private final ElectionClient client;
    private final LeaderLatch latch;

    private DemoNode(ElectionClient client, LeaderLatch latch) {
        this.client = client;
        this.latch = latch;
    }

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        String id = arguments[0];
        ElectionClient client = ElectionClient.builder()
                .clusterId("demo")
                .nodeId(id)
                .peers(arguments[1])
                .algorithm(arguments[2])
                .transport(arguments[3])
                .dataDirectory(Path.of(arguments[4]))
                .profile(Profile.valueOf(System.getenv().getOrDefault(PROFILE, Profile.DEFAULT.name())))
                .from(settings())
                .build();
        LeaderLatch latch = new LeaderLatch(client, PATH, id);
        Path historyFile = Path.of(arguments[5]);
        HistoryFile history = HistoryFile.create(historyFile);
        Stamps stamps = System.getenv(WRONG_CLOCK) == null ? Stamps.EXACT : Stamps.OF_SYSTEM;
        String name = NodeFiles.client(historyFile);
        Beliefs beliefs = new Beliefs(history, name, PATH, stamps.notAfterNow());
        String httpPort = System.getenv(HTTP_PORT);
        if (httpPort != null) {
            OpsServer.builder(client).port(Integer.parseInt(httpPort)).start();
        }
        client.start();
        latch.start();
        NodeMain.say("started " + System.nanoTime());

        poll(new Poller(latch, NodeMain::say, beliefs, stamps));
        int further = Integer.parseInt(System.getenv().getOrDefault(FURTHER_PATHS, "0"));
        for (int i = 1; i <= further; i++) {
            LeaderLatch other = new LeaderLatch(client, PATH + "-" + i, id);
            Beliefs ofOther = new Beliefs(history, name, PATH + "-" + i, stamps.notAfterNow());
            other.start();
            poll(new Poller(other, event -> {}, ofOther, stamps));
        }
        NodeMain.obeyToTheEnd(new DemoNode(client, latch)::obey);
    }

    /** What the environment sets of Quorate, without the variables of the demo. */
    private static Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(System.getenv());
        settings.keySet().removeIf(name -> name.startsWith(OWN_VARIABLES));
        return settings;
    }

    private static void poll(Poller poller) {
        Thread thread = new Thread(poller, "poller");
        thread.setDaemon(true);
        thread.start();
    }

    private void obey(String[] words) {
        switch (words[0]) {
            case "view" -> NodeMain.say("view " + words[1] + " " + view());
            case "participants" -> NodeMain.say("participants " + participants());
            case "close" -> {
                NodeMain.say("closing " + System.nanoTime());
                client.close();
                NodeMain.say("closed " + System.nanoTime());
            }
            case "voters" -> VotersCommand.run(client, words, NodeMain::say);
            default -> throw new IllegalArgumentException("unknown command: " + words[0]);
        }
    }

    private String view() {
        Explanation known = latch.explain();
        String leader = known.leader().map(Explanation.Contender::node).orElse("");
        return leader + " " + known.fencingToken().orElse(0)
                + known.contenders().stream()
                        .map(contender -> " " + contender.node())
                        .collect(Collectors.joining());
    }

    private String participants() {
        try {
            return latch.getParticipants().stream().map(Participant::getId).collect(Collectors.joining(" "));
        } catch (Exception e) {
            // Justification: getParticipants declares it, as Curator's does. The parent asks again, up to its deadline.
            e.printStackTrace();
            return "";
        }
    }
}
