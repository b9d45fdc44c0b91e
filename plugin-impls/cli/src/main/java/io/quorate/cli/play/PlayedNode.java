package io.quorate.cli.play;

import io.quorate.ElectionClient;
import io.quorate.ElectionConfig;
import io.quorate.Explanation;
import io.quorate.LeaderLatch;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * The program of a JVM that {@link Play} starts: one node, which says how it stands. No command of its own.
 *
 * <p>Arguments: settings as {@code key=value}, without {@code quorate.}. Reads one command per line: {@code start}, {@code
 * contend}, {@code leave}, {@code again}, which has it say once more whether it leads, and {@code close}, which ends it.
 * It ends with its input too, so it does not outlive its parent. Writes one line per change: a reading of its clock in
 * nanoseconds, {@code ready}, {@code state}, {@code leads} or {@code knows}, and a value, {@code -} for none. {@code now}
 * has no meaning but its time.
 */
public final class PlayedNode {

    static final String NONE = "-";

    /** Far below the time of a heartbeat, and little work. */
    private static final long LOOK_MILLIS = 5;

    /** Often enough that one of these lines arrives at once. */
    private static final int LOOKS_PER_NOW = 50;

    private final ElectionClient client;
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private volatile Optional<LeaderLatch> latch = Optional.empty();
    private String led = NONE;
    /** When it was asked to which it answered that it leads. */
    private long seen;

    private PlayedNode(ElectionClient client) {
        this.client = client;
    }

    /** Runs until it is told to close, or the input ends. */
    public static void main(String[] settings) throws Exception {
        // An algorithm of others may write to the console, and our parent reads lines there.
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true));
        Properties properties = new Properties();
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            properties.setProperty("quorate." + parts[0], parts[1]);
        }
        ElectionConfig config = ElectionConfig.builder().from(properties).build();
        PlayedNode node = new PlayedNode(ElectionClient.create(config));
        node.say(System.nanoTime(), "ready");
        node.obey();
        // Not closed first: at the end of the input nobody wants a hand-over any more.
        Runtime.getRuntime().halt(0);
    }

    private void obey() throws Exception {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String command = commands.readLine();
        while (command != null) {
            switch (command) {
                case "start" -> {
                    client.start();
                    Thread thread = new Thread(this::look, "quorate-lab-look");
                    thread.setDaemon(true);
                    thread.setUncaughtExceptionHandler((who, failure) -> {
                        // Otherwise it would seem to stay as it is.
                        failure.printStackTrace();
                        Runtime.getRuntime().halt(1);
                    });
                    thread.start();
                }
                case "contend" -> {
                    LeaderLatch next = new LeaderLatch(client, PlayPlan.PATH, client.nodeId());
                    next.start();
                    latch = Optional.of(next);
                }
                case "leave" -> {
                    if (latch.isPresent()) {
                        latch.get().close();
                        latch = Optional.empty();
                        lookWhetherItLeads(false);
                    }
                }
                case "again" -> lookWhetherItLeads(true);
                case "close" -> {
                    client.close();
                    // Before the process ends: otherwise it would seem to lead until then.
                    lookWhetherItLeads(false);
                    return;
                }
                default -> throw new IllegalArgumentException("unknown command: " + command);
            }
            command = commands.readLine();
        }
    }

    private void look() {
        String state = NONE;
        String known = NONE;
        try {
            for (long looks = 0; true; looks++) {
                lookWhetherItLeads(false);
                state = sayChange("state", state, client.connectionState().map(Enum::name));
                known = sayChange("knows", known, knownLeader());
                if (looks % LOOKS_PER_NOW == 0) {
                    say(System.nanoTime(), "now");
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        } catch (IOException | InterruptedException e) {
            // Justification: nobody reads any more, and then the input has ended as well.
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void lookWhetherItLeads(boolean isAgain) throws IOException {
        long asked = System.nanoTime();
        String leads = latch.flatMap(LeaderLatch::leadership)
                .map(leadership -> Long.toString(leadership.fencingToken()))
                .orElse(NONE);
        if (isAgain || !leads.equals(led)) {
            // A bar goes from the first answer that it leads to the last one, and no further.
            if (!led.equals(NONE)) {
                say(seen, "leads " + NONE);
            }
            if (!leads.equals(NONE)) {
                // It may have stood still since it asked, and no bar ends before it begins.
                asked = System.nanoTime();
                say(asked, "leads " + leads);
            }
            led = leads;
        }
        seen = asked;
    }

    private Optional<String> knownLeader() {
        return client.explain(PlayPlan.PATH).flatMap(Explanation::leader).map(Explanation.Contender::node);
    }

    private String sayChange(String what, String before, Optional<String> value) throws IOException {
        String next = value.orElse(NONE);
        if (!next.equals(before)) {
            say(System.nanoTime(), what + " " + next);
        }
        return next;
    }

    /** One write, so that a line is whole or absent when the process is killed. */
    private void say(long nanos, String what) throws IOException {
        out.write((nanos + " " + what + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
