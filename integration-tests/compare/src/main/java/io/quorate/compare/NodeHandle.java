package io.quorate.compare;

import io.quorate.process.ChildJvm;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link CompareNode} in a process of its own. One thread at a time. */
final class NodeHandle {

    private static final long ANSWER_SECONDS = 900;

    /** Something that a latch reported. */
    record LatchReport(NodeHandle node, boolean isLeader, String path, long nanos) {}

    private final String id;
    private final LatchReports reports;
    private final BlockingQueue<String> replies = new LinkedBlockingQueue<>();
    private ChildJvm process;

    NodeHandle(String id, LatchReports reports) {
        this.id = id;
        this.reports = reports;
    }

    String id() {
        return id;
    }

    ChildJvm process() {
        return process;
    }

    /** Starts the process, again if need be. Answers the moment before it. */
    long start(List<String> command, Path log) {
        replies.clear();
        long now = System.nanoTime();
        process = ChildJvm.start(id, command, Map.of(), log, this::onLine);
        return now;
    }

    private void onLine(String line) {
        String[] words = line.split(" ");
        if (words[0].equals("=")) {
            replies.add(line.substring(2));
        } else if (words[0].equals("!")) {
            reports.add(new LatchReport(this, words[1].equals("leader"), words[2], Long.parseLong(words[3])));
        }
    }

    /** Sends a command without waiting for its answer, which {@link #answer} has. */
    void send(String command) {
        process.send(command);
    }

    String answer() {
        return answerWithin(ANSWER_SECONDS);
    }

    /** @throws IllegalStateException if there is none in that time, or the process has ended */
    String answerWithin(long seconds) {
        try {
            String reply = null;
            for (int second = 0; reply == null && second < seconds && process.isAlive(); second++) {
                reply = replies.poll(1, TimeUnit.SECONDS);
            }
            return Optional.ofNullable(reply)
                    .orElseThrow(() -> new IllegalStateException("no answer within " + seconds + " s: " + process));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Sends a command and waits for its answer. */
    String ask(String command) {
        send(command);
        return answer();
    }

    /** As {@link #ask}, for an answer that consists of numbers. */
    long[] askNumbers(String command) {
        String reply = ask(command);
        try {
            return Arrays.stream(reply.split(" ")).mapToLong(Long::parseLong).toArray();
        } catch (NumberFormatException e) {
            throw new IllegalStateException(id + " answers " + command + " by " + reply, e);
        }
    }

    @Override
    public String toString() {
        return id;
    }
}
