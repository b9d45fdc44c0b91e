package io.quorate.compare;

import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** A ZooKeeper server that ends when its input does. Argument: its configuration file. */
public final class ServerNode {

    private ServerNode() {}

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        Thread server = new Thread(() -> QuorumPeerMain.main(arguments), "server");
        server.setDaemon(true);
        server.start();
        while (System.in.read() >= 0) {
            // It takes no commands.
        }
        Runtime.getRuntime().halt(0);
    }
}
