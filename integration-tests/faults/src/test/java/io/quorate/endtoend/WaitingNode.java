package io.quorate.endtoend;

import io.quorate.ElectionClient;
import io.quorate.Profile;
import io.quorate.process.NodeMain;
import java.util.concurrent.TimeUnit;

/**
 * A process that waits for its connection again and again, and says {@code connected N} after each wait. Arguments:
 * node id, peers, profile. It ignores commands. The end of the input ends the process.
 */
public final class WaitingNode {

    private static final long PAUSE_MILLIS = 5;

    private WaitingNode() {}

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        ElectionClient client = ElectionClient.builder()
                .nodeId(arguments[0])
                .peers(arguments[1])
                .profile(Profile.valueOf(arguments[2]))
                .transport("tcp")
                .build();
        client.start();
        Thread waiting = new Thread(() -> waitAgainAndAgain(client), "waiting");
        waiting.setDaemon(true);
        waiting.start();
        NodeMain.obeyToTheEnd(words -> {});
    }

    private static void waitAgainAndAgain(ElectionClient client) {
        try {
            for (long count = 1; ; count++) {
                client.blockUntilConnected();
                NodeMain.say("connected " + count);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
