package com.example.attack;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** A node in a JVM of its own. For each line that it is given it says what it thinks, until its input ends. */
final class AttackedNode {

    static final String PATH = "/attacked/leader";

    private AttackedNode() {}

    /** @param arguments a file of properties */
    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        try (BufferedReader file = Files.newBufferedReader(Path.of(arguments[0]))) {
            properties.load(file);
        }
        try (ElectionClient client = ElectionClient.builder().from(properties).build();
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            client.start();
            LeaderLatch latch = new LeaderLatch(client, PATH, properties.getProperty("quorate.node-id"));
            latch.start();
            while (in.readLine() != null) {
                boolean leads = latch.hasLeadership();
                int contenders = contenders(latch);
                System.out.printf("%s %d %d %d%n", leads, leads ? latch.fencingToken() : 0, contenders, heapInUse());
            }
        }
    }

    private static int contenders(LeaderLatch latch) {
        try {
            return latch.getParticipants().size();
        } catch (Exception e) {
            // Justification: getParticipants declares it; it is asked again.
            return 0;
        }
    }

    private static long heapInUse() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
