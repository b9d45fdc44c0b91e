package io.quorate.tcp;

import io.quorate.spi.NodeId;
import io.quorate.tcp.Connection.State;
import io.quorate.tcp.Wire.Answer;
import io.quorate.tcp.Wire.Hello;
import io.quorate.tcp.Wire.Welcome;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The answer to a HELLO, and the text of a refusal on both sides. It changes nothing. */
final class Greeting {

    private final String cluster;
    private final NodeId self;
    private final boolean hasSecret;

    Greeting(String cluster, NodeId self, boolean hasSecret) {
        this.cluster = cluster;
        this.self = self;
        this.hasSecret = hasSecret;
    }

    /** The fault of a HELLO by itself; ADMITTED if it has none. */
    Answer judge(Connection connection, Hello hello) {
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
        return hello.hasSecret() == hasSecret ? Answer.ADMITTED : Answer.SECRET;
    }

    /**
     * Whether there is a place for it beside other connections. A place belongs to a process, and not to its connection
     * (docs/protocol.md#one-process-per-id).
     *
     * @param peer       who calls; null if it is not known
     * @param placeNanos how long a process keeps its place after its last frame
     */
    Answer place(Hello hello, @Nullable Peer peer, long placeNanos, long now) {
        if (peer == null) {
            return Answer.ADMITTED;
        }
        if (peer.keepsOut(hello.life(), placeNanos, now) != 0) {
            return Answer.BUSY;
        }
        if (peer.open != null && peer.open.isWorking(now)) {
            // The caller itself may be connected, by the connection that this node has dialled meanwhile.
            return hello.life() != 0 && hello.life() == peer.open.life ? Answer.CROSSED : Answer.BUSY;
        }
        // Both dial: the connection stays that was dialled by the smaller id. Before our HELLO has left, theirs wins.
        Connection ours = peer.dialled;
        boolean isCrossed = ours != null && ours.state() == State.GREETING && self.compareTo(hello.from()) < 0;
        return isCrossed ? Answer.CROSSED : Answer.ADMITTED;
    }

    /**
     * The answer as it is sent.
     *
     * @param life this one if the caller is admitted, the one that keeps it out if that is BUSY, else 0
     */
    Welcome welcome(Connection connection, Hello hello, Answer answer, long life) {
        int version = answer == Answer.ADMITTED ? Math.min(Wire.VERSION_MAX, hello.versionMax()) : 0;
        return new Welcome(answer, version, hello.nonce(), mine(connection, answer), yours(answer, hello), life);
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
            case BUSY -> "is connected already; two processes may have this node id; stop one";
            case CERTIFICATE -> "has the certificate of node " + ours;
            case SECRET -> "has " + said + ", this node " + ours + "; check the secret files";
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
            case SECRET -> hasSecret ? "a secret" : "no secret";
            case ADMITTED, BUSY, CROSSED, NO_ROOM -> "";
        };
    }

    private String yours(Answer answer, Hello hello) {
        return switch (answer) {
            case VERSION -> hello.versionMin() + "-" + hello.versionMax();
            case CLUSTER -> hello.cluster();
            case NOT_FOR_US -> hello.to().value();
            case OWN_ID, CERTIFICATE -> hello.from().value();
            case SECRET -> !hello.hasSecret() ? "no secret" : hasSecret ? "another secret" : "a secret";
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
