package com.example.migration.curator;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.Participant;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * An application of which several processes run: one of them writes the report, and they refresh a cache in turns.
 *
 * <p>Arguments: the id of this process, and whom to connect to. Reads one command per line: {@code status} asks who
 * leads, {@code close} hands over, {@code exit} or the end of the input ends the process. Says what it does.
 */
public final class ReportApplication implements Closeable {

    private final CuratorFramework client;
    private final LeaderLatch latch;
    private final ReportJob job;
    private final CacheRefresh refresh;
    private boolean isClosed;

    private ReportApplication(CuratorFramework client, String id) {
        this.client = client;
        this.latch = new LeaderLatch(client, "/reports/leader", id);
        this.job = new ReportJob(latch, ReportApplication::say);
        this.refresh = new CacheRefresh(client, id, ReportApplication::say);
    }

    /** Runs until it is told to end, by its input or by SIGTERM. */
    public static void main(String[] arguments) throws Exception {
        String id = arguments[0];
        CuratorFramework client =
                CuratorFrameworkFactory.newClient(arguments[1], 4_000, 2_000, new ExponentialBackoffRetry(100, 3));
        ReportApplication application = new ReportApplication(client, id);
        application.start();
        Runtime.getRuntime().addShutdownHook(new Thread(application::close));
        application.obey();
        System.exit(0);
    }

    private void start() throws Exception {
        client.getConnectionStateListenable().addListener((source, state) -> say("connection " + state));
        client.start();
        latch.addListener(job);
        latch.start();
        refresh.start();
        Thread waiting = new Thread(this::awaitLeadership, "waits for leadership");
        waiting.setDaemon(true);
        waiting.start();
    }

    private void awaitLeadership() {
        try {
            latch.await();
            say("await returned");
        } catch (EOFException e) {
            say("await was closed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void obey() throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String command = commands.readLine();
        while (command != null && !command.equals("exit")) {
            switch (command) {
                case "status" -> say("status " + status());
                case "close" -> close();
                default -> say("unknown command: " + command);
            }
            command = commands.readLine();
        }
    }

    private String status() {
        try {
            String participants = latch.getParticipants().stream()
                    .map(Participant::getId)
                    .sorted()
                    .collect(Collectors.joining(","));
            return "leader=" + latch.getLeader().getId() + " participants=" + participants;
        } catch (Exception e) {
            return "unknown: " + e;
        }
    }

    /** The job ends before leadership does, so that it never overlaps with that of the successor. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        job.close();
        refresh.close();
        try {
            latch.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            client.close();
        }
        say("closed");
    }

    // One write per line, so that a line is whole or absent when the process is killed.
    private static synchronized void say(String event) {
        byte[] line = (event + "\n").getBytes(StandardCharsets.UTF_8);
        System.out.write(line, 0, line.length);
        System.out.flush();
    }
}
