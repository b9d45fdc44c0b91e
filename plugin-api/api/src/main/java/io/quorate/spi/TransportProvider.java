package io.quorate.spi;

import java.util.Map;
import java.util.Objects;

/**
 * Makes the transport of a node, found by {@link java.util.ServiceLoader} under its {@link #name()}.
 *
 * <p>Implementations are stateless and have a public constructor without arguments.
 */
public interface TransportProvider {

    /** The name by which an application chooses the transport. */
    String name();

    /** A transport for the node that {@code settings} names; it does nothing before {@link Transport#start}. */
    Transport create(Settings settings);

    /**
     * Where everybody is.
     *
     * @param clusterId keeps two clusters on one network apart
     * @param self      this node, a key of {@code addresses}
     * @param addresses every node that this one sends to, and itself: where it listens
     */
    record Settings(String clusterId, NodeId self, Map<NodeId, HostAndPort> addresses) {
        public Settings {
            Objects.requireNonNull(clusterId, "clusterId");
            addresses = Map.copyOf(addresses);
            Check.argument(addresses.containsKey(self), "node %s: is not among the addresses %s", self, addresses);
        }
    }

    /** A host name or address, without blanks, resolved anew at each connect, and a port from 1 to 65535. */
    record HostAndPort(String host, int port) {
        public HostAndPort {
            Check.argument(host != null && !host.isBlank(), "host '%s': must not be empty", host);
            Check.argument(host.chars().noneMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c)),
                    "host '%s': must be a name or an address, without blanks", host);
            Check.argument(1 <= port && port <= 65535, "port %d: must be from 1 to 65535", port);
        }

        @Override
        public String toString() {
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }
}
