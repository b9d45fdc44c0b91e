package io.quorate.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.FreePorts;
import io.quorate.testkit.Inbox;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that listens under a name which only its own machine takes for a loopback address is told so. */
class OwnNameTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final String TEXT =
            "its own name debian is 127.0.1.1 on this machine, where no other machine reaches it:"
                    + " set listen (quorate.listen) to 0.0.0.0:7400, or correct that name in the hosts file";

    private static InetAddress address(int... bytes) throws UnknownHostException {
        byte[] four = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            four[i] = (byte) bytes[i];
        }
        return InetAddress.getByAddress(four);
    }

    private static Optional<String> warning(String listen, InetAddress found, String other) {
        HostAndPort at = new HostAndPort(listen, 7400);
        return OwnName.warning(at, found, Map.of(A, at, B, new HostAndPort(other, 7400)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"other", "2001:db8::2"})
    void aNameThatIsLoopbackHereAloneIsToldWithTheCure(String other) throws UnknownHostException {
        assertThat(warning("debian", address(127, 0, 1, 1), other)).contains(TEXT);
    }

    @ParameterizedTest
    @CsvSource({"debian, debian", "debian, localhost", "debian, ::1", "localhost, other", "127.0.0.1, other"})
    void whereNobodyComesFromElsewhereOrTheAddressIsMeantNothingIsSaid(String listen, String other) throws Exception {
        assertThat(warning(listen, address(127, 0, 1, 1), other)).isEmpty();
    }

    @Test
    void aNameThatOthersReachIsNotToldOf() throws UnknownHostException {
        assertThat(warning("debian", address(10, 0, 0, 1), "other")).isEmpty();
    }

    @Test
    void itIsOneLineAtTheStart() throws UnknownHostException {
        HostAndPort own = new HostAndPort("debian", FreePorts.take());
        TransportProvider.Settings settings = new TransportProvider.Settings(
                "test",
                A,
                Map.of(A, own, B, new HostAndPort("other.invalid", 7400)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        InetAddress[] loopback = {address(127, 0, 0, 1)};
        try (CapturedLog log = CapturedLog.atInfo(TcpTransport.class);
                TcpTransport transport = new TcpTransport(settings)) {
            transport.start(new Inbox(), new Resolver("test-names", host -> loopback));
            assertThat(log.lines("a: its own name debian is 127.0.0.1 on this machine"))
                    .hasSize(1)
                    .allMatch(line -> line.startsWith("WARN "));
        }
    }
}
