package io.quorate.vertx;

import io.quorate.spi.Check;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.JksOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.TrustOptions;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How the Vertx that a transport makes for itself talks to the others: in the clear, or with mutual TLS. It must be the
 * same on all nodes. An immutable value, which several transports may share.
 */
public final class EmbeddedOptions {

    /** How often the event bus asks a connected peer for a sign of life, in milliseconds. */
    static final int PING_INTERVAL_MILLIS = 1000;
    /** How long it waits for that. Too long: a stopped peer stays connected. Too short: a pause disconnects. */
    static final int PONG_TIMEOUT_MILLIS = 2000;
    /** The only hard close: 3 pings missed and half of one. Shorter than ping + pong would cut healthy idle links. */
    static final int READ_IDLE_MILLIS = 3500;
    /** How long frames wait at most for a connection. */
    static final int CONNECT_TIMEOUT_MILLIS = 1000;

    /** Both are there, or neither. */
    private final @Nullable KeyCertOptions key;

    private final @Nullable TrustOptions trust;

    private EmbeddedOptions(@Nullable KeyCertOptions key, @Nullable TrustOptions trust) {
        this.key = key;
        this.trust = trust;
    }

    /**
     * Chooses no encryption: everybody who reaches the port can send frames. It suits networks that nobody else
     * reaches.
     *
     * @return options without TLS
     */
    public static EmbeddedOptions plain() {
        return new EmbeddedOptions(null, null);
    }

    /**
     * Chooses TLS in which both sides must show a certificate that {@code trust} accepts. Neither host names nor node
     * ids are compared with certificates, so use a certificate authority that signs for the nodes of this cluster only.
     *
     * @param key   the certificate of this node: {@link PemKeyCertOptions}, {@link PfxOptions} or {@link JksOptions};
     *              copied
     * @param trust the certificates that it accepts: {@link PemTrustOptions}, {@link PfxOptions} or {@link JksOptions};
     *              copied
     * @return options with mutual TLS
     * @throws IllegalArgumentException if an argument is null or of another type, which the event bus would ignore
     */
    public static EmbeddedOptions mutualTls(KeyCertOptions key, TrustOptions trust) {
        Check.argument(
                key instanceof PemKeyCertOptions || key instanceof PfxOptions || key instanceof JksOptions,
                "key %s: must be PEM, PFX or JKS options",
                key);
        Check.argument(
                trust instanceof PemTrustOptions || trust instanceof PfxOptions || trust instanceof JksOptions,
                "trust %s: must be PEM, PFX or JKS options",
                trust);
        return new EmbeddedOptions(key.copy(), trust.copy());
    }

    /** The options of a Vertx that listens at {@code address} and serves this transport alone. */
    VertxOptions toVertxOptions(HostAndPort address) {
        return new VertxOptions()
                .setEventBusOptions(toEventBusOptions(address))
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

    private EventBusOptions toEventBusOptions(HostAndPort address) {
        EventBusOptions options = new EventBusOptions()
                .setHost(address.host())
                .setPort(address.port())
                .setClusterPingInterval(PING_INTERVAL_MILLIS)
                .setClusterPingReplyInterval(PONG_TIMEOUT_MILLIS)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setReadIdleTimeout(READ_IDLE_MILLIS)
                .setConnectTimeout(CONNECT_TIMEOUT_MILLIS)
                // Reconnecting inside the bus would queue frames without bound.
                .setReconnectAttempts(0);
        if (key != null && trust != null) {
            // By default Vert.x trusts everybody and asks no client for a certificate: encryption without protection.
            options.setSsl(true)
                    .setClientAuth(ClientAuth.REQUIRED)
                    .setTrustAll(false)
                    .setKeyCertOptions(key.copy())
                    .setTrustOptions(trust.copy());
        }
        return options;
    }
}
