package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quorate.runtime.Drivers.Listener;
import io.quorate.spi.EventLoop;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.simulation.HighestUp;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a driver tells its transport of where nodes are that are to vote. */
class ReachTest extends WithDrivers {

    private static final NodeId NEWCOMER = new NodeId("n9");
    private static final HostAndPort ADDRESS = new HostAndPort("there", 1);

    private final List<String> told = new CopyOnWriteArrayList<>();

    /** Somebody else's: it notes what it is told, and may throw. */
    private final class Foreign implements Transport {

        private final Transport inner = drivers.network.transport(drivers.id(1));
        private final boolean doesThrow;

        private Foreign(boolean doesThrow) {
            this.doesThrow = doesThrow;
        }

        @Override
        public void start(Receiver receiver) {
            inner.start(receiver);
        }

        @Override
        public void send(NodeId to, byte[] frame) {
            inner.send(to, frame);
        }

        @Override
        public void reach(NodeId node, HostAndPort address) {
            told.add(node + "=" + address);
            if (doesThrow) {
                throw new IllegalArgumentException("not there");
            }
        }

        @Override
        public Optional<EventLoop> loop() {
            return inner.loop();
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    private ElectionDriver start(boolean doesThrow) throws Exception {
        drivers = new Drivers(1);
        ElectionDriver driver = drivers.driver(1, new HighestUp(), new Foreign(doesThrow), new MemoryTermStore());
        driver.start();
        return driver;
    }

    private Object change(ElectionDriver driver, long number) throws Exception {
        return driver.changeVoters(number, Map.of(drivers.id(1), Optional.empty(), NEWCOMER, Optional.of(ADDRESS)))
                .toCompletableFuture()
                .get(600, TimeUnit.SECONDS);
    }

    @Test
    void aNodeGoesOnThoughItsTransportThrows() throws Exception {
        Listener listener = leaderWhoseTransportThrows();
        drivers.awaitLeader(listener);
    }

    @RealTime
    @Test
    void leaderWhoseTransportThrowsStillLeads() throws Exception {
        assertThat(leaderWhoseTransportThrows().leads()).isTrue();
    }

    private Listener leaderWhoseTransportThrows() throws Exception {
        ElectionDriver driver = start(true);
        Listener listener = drivers.contend(1);
        drivers.awaitLeader(listener);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> change(driver, 1))
                .withMessageContaining("dataDirectory");
        assertThat(told).containsExactly(NEWCOMER + "=" + ADDRESS);
        assertThat(driver.failure()).isEmpty();
        return listener;
    }

    // A typo in it would lead this node to the wrong place.
    @Test
    void aRequestThatIsRefusedTellsNoAddress() throws Exception {
        ElectionDriver driver = start(false);
        drivers.awaitLeader(drivers.contend(1));
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> change(driver, 77))
                .withMessageContaining("number 77 was expected");
        assertThat(told).isEmpty();
    }
}
