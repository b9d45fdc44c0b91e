package io.quorate.settings;

import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The nodes of a cluster and where they listen, read from parts of the form {@code id=host:port}.
 *
 * @param addresses the parts that are right, in their order
 * @param faults    what is wrong with the others; each names its part
 */
public record PeerList(Map<NodeId, HostAndPort> addresses, List<String> faults) {

    /** Looks like one: two colons or more, hexadecimal digits, and perhaps a zone. */
    private static final Pattern IPV6 = Pattern.compile("(?i)[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*(%.*)?");

    public PeerList {
        addresses = Collections.unmodifiableMap(new LinkedHashMap<>(addresses));
        faults = List.copyOf(faults);
    }

    /** Reads all parts; throws nothing. */
    public static PeerList parse(List<String> parts) {
        Map<NodeId, HostAndPort> addresses = new LinkedHashMap<>();
        Map<HostAndPort, NodeId> owners = new HashMap<>();
        List<String> faults = new ArrayList<>();
        for (String part : parts) {
            try {
                Peer peer = Peer.parse(part.trim());
                NodeId owner = owners.putIfAbsent(peer.address, peer.id);
                if (addresses.putIfAbsent(peer.id, peer.address) != null) {
                    faults.add("peer '" + part.trim() + "': node " + peer.id + " is given twice");
                } else if (owner != null) {
                    faults.add("peer '" + part.trim() + "': has the address of node " + owner);
                }
            } catch (IllegalArgumentException e) {
                faults.add("peer '" + part.trim() + "': " + e.getMessage());
            }
        }
        return new PeerList(addresses, faults);
    }

    public List<String> ids() {
        return addresses.keySet().stream().map(NodeId::value).toList();
    }

    /** Reads {@code host:port}. */
    public static HostAndPort address(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("must be host:port");
        }
        String host = text.substring(0, colon).trim();
        boolean isInBrackets = host.startsWith("[") && host.endsWith("]");
        if (!isInBrackets && IPV6.matcher(host).matches()) {
            throw new IllegalArgumentException("an IPv6 address must be in brackets");
        }
        if (!isInBrackets && (host.contains(":") || host.contains("/"))) {
            throw new IllegalArgumentException(
                    "host '" + host + "': must be a name or an address, nothing before or behind it");
        }
        String bare = isInBrackets ? host.substring(1, host.length() - 1) : host;
        return new HostAndPort(bare, port(text.substring(colon + 1).trim()));
    }

    private static int port(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("port '" + text + "': must be a number from 1 to 65535", e);
        }
    }

    private record Peer(NodeId id, HostAndPort address) {

        static Peer parse(String part) {
            int equals = part.indexOf('=');
            int colon = part.lastIndexOf(':');
            if (part.indexOf('=', equals + 1) >= 0 || part.indexOf(';') >= 0) {
                throw new IllegalArgumentException("must be id=host:port, with commas between peers");
            }
            if (equals < 0 || colon < equals) {
                throw new IllegalArgumentException("must be id=host:port");
            }
            return new Peer(new NodeId(part.substring(0, equals).trim()), PeerList.address(part.substring(equals + 1)));
        }
    }
}
