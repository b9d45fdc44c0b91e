package io.quorate.vertx;

import io.quorate.spi.TransportProvider.HostAndPort;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.net.NetClientOptions;
import java.util.concurrent.TimeUnit;

/** The options of the Vertx that a transport makes for itself, which are the same on all nodes. */
final class EmbeddedOptions {

    /** How often the event bus asks a connected peer for a sign of life, in milliseconds. */
    static final int PING_INTERVAL_MILLIS = 1000;
    /** How long it waits for that. Too long: a stopped peer stays connected. Too short: a pause disconnects. */
    static final int PONG_TIMEOUT_MILLIS = 2000;
    /** How long frames wait at most for a connection. */
    static final int CONNECT_TIMEOUT_MILLIS = 1000;

    private EmbeddedOptions() {}

    /** The options of a Vertx that listens at {@code address} and serves a transport alone. */
    static VertxOptions vertx(HostAndPort address) {
        return new VertxOptions()
                .setEventBusOptions(eventBus(address))
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setHAEnabled(false)
                // An election must not keep its application alive.
                .setUseDaemonThread(true)
                // No temporary directory is made, and none can be left behind.
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false))
                // Nobody's code runs on this loop; a warning would only report that the machine is overloaded.
                .setMaxEventLoopExecuteTimeUnit(TimeUnit.SECONDS)
                .setMaxEventLoopExecuteTime(10)
                .setBlockedThreadCheckIntervalUnit(TimeUnit.SECONDS)
                .setBlockedThreadCheckInterval(10)
                // A peer that moved is found at the next connect.
                .setAddressResolverOptions(new AddressResolverOptions()
                        .setCacheMaxTimeToLive(0)
                        .setHostsRefreshPeriodUnit(TimeUnit.SECONDS)
                        .setHostsRefreshPeriod(1));
    }

    /**
     * The options of the client that connects and says nothing, for which no TLS is needed. Its channels are known by
     * keep-alive, which means nothing to a connection that is closed at once. No other channel has it, neither by
     * default nor by an option that somebody forgets: so what nobody thought of has TLS.
     */
    static NetClientOptions knocker() {
        return new NetClientOptions().setConnectTimeout(CONNECT_TIMEOUT_MILLIS).setTcpKeepAlive(true);
    }

    private static EventBusOptions eventBus(HostAndPort address) {
        return new EventBusOptions()
                .setHost(address.host())
                .setPort(address.port())
                .setClusterPingInterval(PING_INTERVAL_MILLIS)
                .setClusterPingReplyInterval(PONG_TIMEOUT_MILLIS)
                .setConnectTimeout(CONNECT_TIMEOUT_MILLIS)
                .setTcpNoDelay(true)
                // Without, as its pings are as good: see knocker.
                .setTcpKeepAlive(false)
                // Reconnecting inside the bus would queue frames without bound.
                .setReconnectAttempts(0);
    }
}
