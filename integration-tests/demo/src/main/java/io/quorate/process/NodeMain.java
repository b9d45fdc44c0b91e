package io.quorate.process;

import io.quorate.ElectionClient;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What programs that run in a {@link ChildJvm} do alike: a client over TCP, lines that they say, and commands. */
public final class NodeMain {

    /** The command upon which a node says how many voters support it. */
    static final String SUPPORTERS = "supporters";

    /** What a program does when it is told something. */
    @FunctionalInterface
    public interface Command {

        /** Does it; {@code words} are those of the line. */
        void run(String[] words) throws Exception;
    }

    private NodeMain() {}

    /** A client over {@code tcp}; the arguments begin with node id, peers and data directory. */
    public static ElectionClient.Builder client(String[] arguments) {
        return ElectionClient.builder()
                .nodeId(arguments[0])
                .peers(arguments[1])
                .dataDirectory(Path.of(arguments[2]))
                .transport("tcp");
    }

    /** Waits until so many voters support the node. */
    public static void awaitSupport(ElectionClient client, int voters) throws InterruptedException {
        while (client.health().supporters().size() < voters) {
            // Justification: looks again soon.
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** One write per line, so that a line is whole or absent when the process is killed. */
    public static synchronized void say(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        System.out.write(bytes, 0, bytes.length);
        System.out.flush();
    }

    /** Runs each command of the input, and returns when that ends. */
    public static void obey(Command command) throws Exception {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            command.run(line.split(" "));
        }
    }

    /** As {@link #obeyToTheEnd(Command)}, and tells how many voters support the client. */
    public static void obeyToTheEnd(ElectionClient client, Command command) throws Exception {
        obeyToTheEnd(words -> {
            if (words[0].equals(SUPPORTERS)) {
                say(SUPPORTERS + " " + client.health().supporters().size());
            } else {
                command.run(words);
            }
        });
    }

    /** Ends the process when its input does. Nothing is closed: whoever ends the input wants no hand-over. */
    public static void obeyToTheEnd(Command command) throws Exception {
        obey(command);
        Runtime.getRuntime().halt(0);
    }
}
