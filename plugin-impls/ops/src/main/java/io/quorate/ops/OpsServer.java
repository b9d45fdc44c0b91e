package io.quorate.ops;

import io.quorate.ElectionClient;
import io.quorate.spi.Tls;
import io.quorate.transport.Keyring;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP endpoints of one client: {@code /live} and {@code /ready} for the probes of a platform, {@code /leader} for a
 * proxy that routes to the leader, {@code /status} for people and tools. With a token there are {@code /transfer},
 * {@code /standby} and changes of the voters too, and with a registry {@code /metrics}. docs/operations.md describes
 * what each of them answers.
 *
 * <p>It listens at 127.0.0.1 unless it is told otherwise, and answers there only to requests for a loopback address or
 * {@code localhost}, so that no page in a browser gets at it under another name. It has a few daemon threads of its
 * own, and no request runs on the node's thread. The client may be in any state, and is not closed with the server:
 * close the server after the client, so that probes see how the client ends.
 */
public final class OpsServer implements AutoCloseable {

    /**
     * How long one request may take to come, and then its answer: 10 s each. That is twice as long as the longest
     * answer needs, which is that of a node whose thread is stuck. Too short a time cuts off clients on slow links;
     * with a long one, clients that send nothing keep their connections longer.
     */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(OpsServer.class);

    private static final Duration TIMEOUT_MAX = Duration.ofHours(1);

    private static final int PORT_MAX = 65535;

    private final HttpPort port;
    private final InetSocketAddress address;
    private final ElectionClient client;
    private final Journal journal;
    private final EventStream events;
    private final Endpoints endpoints;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private OpsServer(Builder settings, HttpPort port, @Nullable BearerToken token, @Nullable SSLContext ssl) {
        this.client = settings.client;
        this.port = port;
        this.address = port.address();
        this.journal = new Journal(client.nodeId(), InstantSource.system(), System::nanoTime);
        Views views = new Views(client, journal);
        this.events = new EventStream("quorate-events-" + client.nodeId(), views::tick);
        this.endpoints = new Endpoints(
                client,
                views,
                new OtherServers(settings.others, ssl),
                events,
                token,
                settings.timeout.dividedBy(2),
                settings.scrape,
                address.getAddress().isLoopbackAddress(),
                port);
    }

    /**
     * Begins to describe a server. The port is required.
     *
     * @param client what it tells of; may be in any state
     * @return a builder in which each other setting has its default
     * @throws NullPointerException if {@code client} is null
     */
    public static Builder builder(ElectionClient client) {
        return new Builder(Objects.requireNonNull(client, "client"));
    }

    /** Makes an {@link OpsServer}. For one thread. */
    public static final class Builder {

        private final ElectionClient client;
        private String address = "127.0.0.1";
        private int port = -1;
        private @Nullable Path tokenFile;
        private @Nullable Tls tls;
        private @Nullable Supplier<String> scrape;
        private Duration timeout = DEFAULT_TIMEOUT;
        private List<URI> others = List.of();

        private Builder(ElectionClient client) {
            this.client = client;
        }

        /**
         * Where to listen, by default at 127.0.0.1: anyone who reaches the address sees who leads what, without a
         * password.
         *
         * @param value a name or an address of this machine; {@code 0.0.0.0} for all of them
         * @return this builder
         * @throws NullPointerException if {@code value} is null
         */
        public Builder address(String value) {
            address = Objects.requireNonNull(value, "address");
            return this;
        }

        /**
         * The port to listen at.
         *
         * @param value 0 to 65535; 0 takes a free one, which {@link OpsServer#address} tells
         * @return this builder
         */
        public Builder port(int value) {
            port = value;
            return this;
        }

        /**
         * Offers {@code /transfer}, {@code /standby} and changes of the voters to callers that show the token in this
         * file. They are not there without it. The file is read now and again for each of these requests, so that
         * another token needs no restart. With an address that is no loopback address it needs {@link #tls}, or the
         * token would travel in plain text.
         *
         * @param value a file of one line of 16 or more letters, digits and {@code -._~+/}
         * @return this builder
         * @throws NullPointerException if {@code value} is null
         */
        public Builder tokenFile(Path value) {
            tokenFile = Objects.requireNonNull(value, "tokenFile");
            return this;
        }

        /**
         * Has the server speak HTTPS, and nothing else. Clients need no certificate. Other files in the place of these
         * count within ten seconds, without a restart; what is wrong with them is a line in the log, and the former
         * ones stay.
         *
         * @param value the keys of this server, which may be those of the node; clients compare the address that they
         *              ask with the names in the certificate, which the transport does not
         * @return this builder
         * @throws NullPointerException if {@code value} is null
         */
        public Builder tls(Tls value) {
            tls = Objects.requireNonNull(value, "tls");
            return this;
        }

        /**
         * Offers {@code /metrics}, which answers what {@code value} does: {@code registry::scrape} of a registry for
         * Prometheus. It is not there without this.
         *
         * @param value the text format of Prometheus, version 0.0.4; called for each request, on a thread of the
         *              server, by two of them at one time at most. An exception or error gets an answer with status
         *              500, and a line in the log. If it hangs, it holds up no other endpoint
         * @return this builder
         * @throws NullPointerException if {@code value} is null
         */
        public Builder metrics(Supplier<String> value) {
            scrape = Objects.requireNonNull(value, "metrics");
            return this;
        }

        /**
         * How long one request may take until it is there as a whole, and then until the end of its answer. After
         * either its connection is closed. A transfer or a change of voters that has not come to its end after half of
         * it is answered as late.
         *
         * @param value more than 0, at most an hour; default {@link OpsServer#DEFAULT_TIMEOUT}
         * @return this builder
         * @throws NullPointerException if {@code value} is null
         */
        public Builder timeout(Duration value) {
            timeout = Objects.requireNonNull(value, "timeout");
            return this;
        }

        /**
         * The servers of the other nodes, for the page: what they say of themselves is shown beside this node. This
         * server asks them while a page is open, at most once a second. A server that does not answer is shown as such.
         * With {@link #tls} the authorities of those files are trusted, else those of the JVM.
         *
         * @param urls base addresses, as {@code http://10.0.0.2:8080}; replaces those that were given before
         * @return this builder
         * @throws NullPointerException if {@code urls} is null or holds null
         */
        public Builder others(URI... urls) {
            others = List.of(urls);
            return this;
        }

        /**
         * Opens the port. When this returns, requests are answered.
         *
         * @return a server, to be closed
         * @throws IllegalArgumentException if settings are wrong, with all faults in one message, each with its value
         *                                  and its rule
         * @throws UncheckedIOException     if it cannot listen there
         */
        public OpsServer start() {
            List<String> faults = new ArrayList<>();
            check(faults, 0 <= port && port <= PORT_MAX, "port " + port + ": must be 0 to 65535; 0 takes a free one");
            check(
                    faults,
                    timeout.compareTo(Duration.ZERO) > 0 && timeout.compareTo(TIMEOUT_MAX) <= 0,
                    "timeout " + timeout + ": must be more than 0, and at most " + TIMEOUT_MAX);
            others.forEach(other -> check(
                    faults,
                    isBase(other),
                    "others '" + other.toString().replaceAll("//[^/@]*@", "//...@")
                            + "': must be an address with http or https, a host and"
                            + " a port, without user, query and fragment, and without an underscore in the host"));
            InetAddress resolved = resolve(faults);
            BearerToken token = token(faults, resolved);
            Keyring keys = keys(faults);
            if (!faults.isEmpty() || resolved == null) {
                throw new IllegalArgumentException("Bad configuration: " + String.join("; ", faults));
            }
            SSLContext ssl = keys == null ? null : HttpsKeys.context(keys, System::nanoTime, this::warn);
            return open(new InetSocketAddress(resolved, port), token, ssl);
        }

        private static boolean isBase(URI other) {
            return other.getHost() != null
                    && ("http".equals(other.getScheme()) || "https".equals(other.getScheme()))
                    && other.getRawUserInfo() == null
                    && other.getRawQuery() == null
                    && other.getRawFragment() == null;
        }

        private static void check(List<String> faults, boolean isKept, String fault) {
            if (!isKept) {
                faults.add(fault);
            }
        }

        private @Nullable InetAddress resolve(List<String> faults) {
            try {
                // An empty name would be that of this machine.
                if (!address.isBlank()) {
                    return InetAddress.getAllByName(address)[0];
                }
            } catch (UnknownHostException e) {
                LOG.debug("address '{}'", address, e);
            }
            faults.add("address '" + address + "': must be a name or an address of this machine");
            return null;
        }

        private @Nullable BearerToken token(List<String> faults, @Nullable InetAddress listensAt) {
            Path file = tokenFile;
            if (file == null) {
                return null;
            }
            check(
                    faults,
                    tls != null || listensAt == null || listensAt.isLoopbackAddress(),
                    "tokenFile '" + file + "': must not be set with address '" + address
                            + "', which is no loopback address, unless tls is set: the token would travel in plain"
                            + " text");
            BearerToken token = new BearerToken(file);
            try {
                token.read();
            } catch (IOException e) {
                faults.add(e.getMessage());
            }
            return token;
        }

        private @Nullable Keyring keys(List<String> faults) {
            Tls files = tls;
            if (files == null) {
                return null;
            }
            try {
                return new Keyring(files);
            } catch (IllegalArgumentException e) {
                faults.add(String.valueOf(e.getMessage()));
                return null;
            }
        }

        private void warn(String news) {
            LOG.warn("Node {}: HTTP server: {}", client.nodeId(), news);
        }

        private OpsServer open(InetSocketAddress at, @Nullable BearerToken token, @Nullable SSLContext ssl) {
            HttpPort listening;
            try {
                listening = new HttpPort(at, ssl, timeout, "quorate-http-" + client.nodeId(), this::warn);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot listen at " + address + ":" + port + ": " + e.getMessage(), e);
            }
            if (tls != null) {
                tls.warnings().forEach(this::warn);
            }
            if (token != null) {
                token.warning().ifPresent(this::warn);
            }
            OpsServer opened = new OpsServer(this, listening, token, ssl);
            client.addMonitor(opened.journal);
            try {
                listening.open(opened.endpoints::handle);
            } catch (RuntimeException | Error e) {
                // Justification: the system may have no thread left. Nothing stays open.
                opened.close();
                throw e;
            }
            LOG.info(
                    "Node {}: {} at {} port {}, {}",
                    client.nodeId(),
                    ssl == null ? "HTTP" : "HTTPS",
                    address,
                    opened.address.getPort(),
                    token == null ? "without changes" : "changes with the token in '" + tokenFile + "'");
            return opened;
        }
    }

    /** {@return where this server listens, or has listened} */
    public InetSocketAddress address() {
        return address;
    }

    /**
     * Closes the port and all connections. Requests that are being answered are cut off. Waits for nothing but the
     * server's own threads, for milliseconds. A second call has no effect.
     */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            client.removeMonitor(journal);
            events.close();
            port.close();
            endpoints.close();
        }
    }
}
