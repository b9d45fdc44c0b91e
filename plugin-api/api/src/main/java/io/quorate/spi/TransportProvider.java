package io.quorate.spi;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Makes the transport of a node, found by {@link java.util.ServiceLoader} under its {@link #name()}.
 *
 * <p>Implementations are stateless, safe for use by several threads and have a public constructor without arguments.
 */
public interface TransportProvider {

    /** {@return the name by which an application chooses the transport} */
    String name();

    /**
     * Makes a transport for one node. It does nothing before {@link Transport#start}.
     *
     * @param settings the node, and the addresses of all nodes
     * @return a new transport
     * @throws IllegalArgumentException if the settings ask for what this transport does not do, such as TLS. Then the
     *                                  client is not built
     */
    Transport create(Settings settings);

    /**
     * The node that gets a transport, and the address of each node.
     *
     * @param clusterId keeps two clusters on one network apart
     * @param self      this node
     * @param addresses the address at which others reach each node that is known now. Without one of its own this node
     *                  listens nowhere, and others reach it over connections that it opens; a transport that cannot do
     *                  that refuses it. Immutable
     * @param listen    where this node listens if that is another address than the one at which others reach it, as
     *                  behind a translation of addresses, or on all interfaces; empty if it is the same. A transport
     *                  that cannot tell the two apart refuses it
     * @param tls       the keys of this node; empty if nothing is encrypted. A transport that cannot use them refuses
     *                  them
     * @param proof     shows that this node knows the secret of the cluster; empty without one. A transport whose
     *                  connections hold nothing before a frame has come over them need not use it
     */
    record Settings(
            String clusterId,
            NodeId self,
            Map<NodeId, HostAndPort> addresses,
            Optional<HostAndPort> listen,
            Optional<Tls> tls,
            Optional<Proof> proof) {
        /**
         * Settings with a copy of the addresses.
         *
         * @param clusterId not null
         * @param self      a key of {@code addresses}, unless it listens nowhere
         * @param addresses copied
         * @param listen    empty if the node listens at its address, or nowhere
         * @param tls       empty if nothing is encrypted
         * @param proof     empty without a secret
         * @throws NullPointerException     if an argument is null, or {@code addresses} holds null
         * @throws IllegalArgumentException if {@code addresses} lacks {@code self}, and there is an address to listen
         *                                  at
         */
        public Settings {
            Objects.requireNonNull(clusterId, "clusterId");
            Objects.requireNonNull(listen, "listen");
            Objects.requireNonNull(tls, "tls");
            Objects.requireNonNull(proof, "proof");
            addresses = Map.copyOf(addresses);
            Check.argument(
                    addresses.containsKey(self) || listen.isEmpty(),
                    "node %s: is not among the addresses %s, so no node would look for it at %s",
                    self,
                    addresses,
                    listen.map(HostAndPort::toString).orElse(""));
        }

        /**
         * Settings of a node without a secret.
         *
         * @param clusterId not null
         * @param self      a key of {@code addresses}, unless it listens nowhere
         * @param addresses copied
         * @param listen    empty if the node listens at its address, or nowhere
         * @param tls       empty if nothing is encrypted
         * @throws NullPointerException     if an argument is null, or {@code addresses} holds null
         * @throws IllegalArgumentException if {@code addresses} lacks {@code self}, and there is an address to listen
         *                                  at
         */
        public Settings(
                String clusterId,
                NodeId self,
                Map<NodeId, HostAndPort> addresses,
                Optional<HostAndPort> listen,
                Optional<Tls> tls) {
            this(clusterId, self, addresses, listen, tls, Optional.empty());
        }

        /**
         * Settings of a node that listens at its address, if it has one, in the clear.
         *
         * @param clusterId not null
         * @param self      a key of {@code addresses}, unless it listens nowhere
         * @param addresses copied
         * @throws NullPointerException if an argument is null, or {@code addresses} holds null
         */
        public Settings(String clusterId, NodeId self, Map<NodeId, HostAndPort> addresses) {
            this(clusterId, self, addresses, Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    /**
     * The address of a node.
     *
     * @param host a host name or an address, an IPv6 address without brackets; a name is resolved at each connect
     * @param port a TCP port
     */
    record HostAndPort(String host, int port) {
        /**
         * A checked address.
         *
         * @param host not empty, without blanks and control characters
         * @param port 1 to 65535
         * @throws IllegalArgumentException if a part breaks its rule; the message states value and rule
         */
        public HostAndPort {
            Check.argument(host != null && !host.isBlank(), "host '%s': must not be empty", host);
            Check.argument(
                    host.chars().noneMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c)),
                    "host '%s': must be a name or an address, without blanks",
                    host);
            Check.argument(1 <= port && port <= 65535, "port %d: must be from 1 to 65535", port);
        }

        @Override
        public String toString() {
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }
}
