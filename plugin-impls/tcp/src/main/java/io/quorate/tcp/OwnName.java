package io.quorate.tcp;

import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Whether others reach a node under the name at which it listens. */
final class OwnName {

    private OwnName() {}

    /**
     * The warning about a name that is a loopback address on this machine and another one elsewhere. Debian gives a
     * machine without a fixed address the name 127.0.1.1 in its own hosts file.
     *
     * @param listen    where the node listens. An address in place of a name is meant as it is
     * @param found     the address of that name here
     * @param addresses those of all nodes; if all are of this machine, nobody comes from elsewhere
     */
    static Optional<String> warning(HostAndPort listen, InetAddress found, Map<NodeId, HostAndPort> addresses) {
        String host = listen.host();
        boolean hasOthers = addresses.values().stream()
                .anyMatch(address -> !address.host().equalsIgnoreCase(host) && !isLoopback(address.host()));
        if (!found.isLoopbackAddress() || isLoopback(host) || !hasOthers) {
            return Optional.empty();
        }
        return Optional.of("its own name " + host + " is " + found.getHostAddress() + " on this machine, where no other"
                + " machine reaches it: set listen (quorate.listen) to 0.0.0.0:" + listen.port()
                + ", or correct that name in the hosts file");
    }

    /** By its looks, without a look-up. */
    private static boolean isLoopback(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return name.equals("localhost") || name.endsWith(".localhost") || name.startsWith("127.") || name.equals("::1");
    }
}
