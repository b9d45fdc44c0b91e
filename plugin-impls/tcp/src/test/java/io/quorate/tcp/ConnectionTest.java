package io.quorate.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

class ConnectionTest {

    private static final long SECOND = 1_000_000_000;

    @Test
    void aConnectionThatCarriesNothingForThirtySecondsIsUnused() throws Exception {
        try (Selector selector = Selector.open();
                SocketChannel channel = SocketChannel.open()) {
            channel.configureBlocking(false);
            Connection connection = new Connection(channel, true, Nodes.loopback(), selector, 0);
            connection.open(5 * SECOND);
            assertThat(connection.isUnused(34 * SECOND)).isFalse();
            connection.onCarried();
            assertThat(connection.isUnused(36 * SECOND)).isFalse();
            assertThat(connection.isUnused(65 * SECOND)).isFalse();
            assertThat(connection.isUnused(66 * SECOND)).isTrue();
        }
    }
}
