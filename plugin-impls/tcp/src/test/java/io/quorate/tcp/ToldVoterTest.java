package io.quorate.tcp;

import static io.quorate.testkit.Inbox.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.tcp.Wire.Answer;
import io.quorate.tcp.Wire.Hello;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.Inbox;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A voter that no settings name, beside a stranger that says it is that voter. */
class ToldVoterTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    private final Inbox ofA = new Inbox();
    private final Inbox ofB = new Inbox();

    /** Its settings name nobody else, and it is told where b is. */
    private TcpTransport startA(Nodes nodes) throws Exception {
        TcpTransport a = nodes.start(new Settings(Nodes.CLUSTER, A, Map.of(A, nodes.address("a"))), ofA);
        a.reach(B, nodes.address("b"));
        return a;
    }

    private static Dialler liar(Nodes nodes) throws Exception {
        InetAddress elsewhere = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
        Hello hello = new Hello(2, 2, Nodes.CLUSTER, B, A, 42, Optional.of(new HostAndPort("127.0.0.2", 9)), false, 0);
        while (true) {
            Dialler liar = new Dialler(new Socket(Nodes.loopback(), nodes.port("a"), elsewhere, 0));
            try {
                assertThat(liar.greet(hello).answer()).isEqualTo(Answer.ADMITTED);
                return liar;
            } catch (EOFException | SocketException e) {
                // It was cut off, because this test was slower than a node waits.
                liar.close();
            }
        }
    }

    private static void live(Dialler liar) {
        try {
            liar.send(Wire.PONG, new byte[0]);
        } catch (IOException e) {
            // It was sent away, as it should be.
        }
    }

    @Test
    void isNotKeptOutBySomebodyElsewhere() throws Exception {
        try (Nodes nodes = new Nodes("a", "b")) {
            startA(nodes);
            try (Dialler liar = liar(nodes)) {
                TcpTransport b = nodes.start(new Settings(Nodes.CLUSTER, B, nodes.addresses()), ofB);
                Deadline.repeat(
                        () -> {
                            live(liar);
                            b.send(A, frame("heartbeat"));
                        },
                        () -> ofA.has("heartbeat"),
                        ofA::all);
            }
        }
    }

    @Test
    void isReachedWhereItIsThoughSomebodyHasSaidAnotherAddress() throws Exception {
        try (Nodes nodes = new Nodes("a", "b")) {
            TcpTransport a = startA(nodes);
            liar(nodes).close();
            nodes.start(new Settings(Nodes.CLUSTER, B, nodes.addresses()), ofB);
            Deadline.repeat(() -> a.send(B, frame("heartbeat")), () -> ofB.has("heartbeat"), ofB::all);
        }
    }
}
