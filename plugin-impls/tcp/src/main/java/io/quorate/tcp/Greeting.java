package io.quorate.tcp;

import io.quorate.spi.NodeId;
import io.quorate.tcp.Connection.State;
import io.quorate.tcp.Wire.Answer;
import io.quorate.tcp.Wire.Hello;
import io.quorate.tcp.Wire.Welcome;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a node answers to a HELLO, and how a refusal reads on both sides. It changes nothing. */
final class Greeting {

    /**
     * After so long without a word another connection of the peer takes the place of this one. A connection that works
     * is never so quiet, so nobody can push it aside; and a peer that lost its own end gets in before the idle close.
     */
    static final long REPLACED_NANOS = 2_000_000_000;

    private final String cluster;
    private final NodeId self;

    Greeting(String cluster, NodeId self) {
        this.cluster = cluster;
        this.self = self;
    }

    /**
     * The answer, but for whether there is room.
     *
     * @param peer who says that it calls; null if it is not known
     */
    Answer judge(Connection connection, Hello hello, @Nullable Peer peer, long now) {
        if (hello.versionMax() < Wire.VERSION_MIN || hello.versionMin() > Wire.VERSION_MAX) {
            return Answer.VERSION;
        }
        if (!hello.cluster().equals(cluster)) {
            return Answer.CLUSTER;
        }
        if (!hello.to().equals(self)) {
            return Answer.NOT_FOR_US;
        }
        if (hello.from().equals(self)) {
            return Answer.OWN_ID;
        }
        if (connection.secured != null && !connection.proven.equals(Optional.of(hello.from()))) {
            return Answer.CERTIFICATE;
        }
        if (peer == null) {
            return Answer.ADMITTED;
        }
        Connection open = peer.open;
        if (open != null
                && now - open.heardAt < REPLACED_NANOS
                && (!isAtHome(connection, peer) || isAtHome(open, peer))) {
            return Answer.BUSY;
        }
        // Both dial: the connection stays that was dialled by the smaller id. Before our HELLO has left, theirs wins.
        Connection ours = peer.dialled;
        boolean isCrossed = ours != null && ours.state() == State.GREETING && self.compareTo(hello.from()) < 0;
        return isCrossed ? Answer.CROSSED : Answer.ADMITTED;
    }

    /**
     * Whether a connection comes from where the peer was found. Somebody elsewhere who says that it is the peer gives
     * way when the peer itself calls.
     */
    private static boolean isAtHome(Connection connection, Peer peer) {
        return Arrays.asList(peer.found).contains(connection.remote());
    }

    /** The answer as it is sent. */
    Welcome welcome(Connection connection, Hello hello, Answer answer) {
        int version = answer == Answer.ADMITTED ? Math.min(Wire.VERSION_MAX, hello.versionMax()) : 0;
        return new Welcome(answer, version, hello.nonce(), mine(connection, answer), yours(answer, hello));
    }

    /** Why who calls is refused, as this node says it. */
    String refusal(Connection connection, Hello hello, Answer answer) {
        return refusal(answer, yours(answer, hello), mine(connection, answer));
    }

    /** Why this node is refused. */
    static String refusal(Welcome welcome) {
        return "the node there " + welcome.answer().text() + values(welcome);
    }

    private static String refusal(Answer answer, String theirs, String ours) {
        String said = LogLimit.printable(theirs);
        return switch (answer) {
            case VERSION -> "speaks wire versions " + said + ", this node " + ours;
            case CLUSTER -> "is of cluster '" + said + "', this node of '" + ours + "'; check clusterId and the peers";
            case NOT_FOR_US -> "looks for node " + said + ", this is " + ours + "; check the peers";
            case OWN_ID -> "has the id of this node; check nodeId and the peers";
            case BUSY -> "is connected already; two processes may have this node id";
            case CERTIFICATE -> "has the certificate of node " + ours;
            case NO_ROOM -> "is one contender too many";
            case CROSSED, ADMITTED -> "is connected";
        };
    }

    private String mine(Connection connection, Answer answer) {
        return switch (answer) {
            case CERTIFICATE -> connection.proven.map(NodeId::value).orElse("");
            case VERSION -> Wire.VERSION_MIN + "-" + Wire.VERSION_MAX;
            case CLUSTER -> cluster;
            case NOT_FOR_US, OWN_ID -> self.value();
            case ADMITTED, BUSY, CROSSED, NO_ROOM -> "";
        };
    }

    private static String yours(Answer answer, Hello hello) {
        return switch (answer) {
            case VERSION -> hello.versionMin() + "-" + hello.versionMax();
            case CLUSTER -> hello.cluster();
            case NOT_FOR_US -> hello.to().value();
            case OWN_ID, CERTIFICATE -> hello.from().value();
            case ADMITTED, BUSY, CROSSED, NO_ROOM -> "";
        };
    }

    private static String values(Welcome welcome) {
        if (welcome.mine().isEmpty() && welcome.yours().isEmpty()) {
            return "";
        }
        return "; there '" + LogLimit.printable(welcome.mine()) + "', here '" + LogLimit.printable(welcome.yours())
                + "'";
    }
}
