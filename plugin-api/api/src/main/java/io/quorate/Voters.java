package io.quorate;

import io.quorate.engine.Engine;
import io.quorate.settings.PeerList;
import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which nodes vote: a list with a number, which rises with each change. List 1 is the one of the settings.
 *
 * @param number  at least 1; 0 while a node does not know yet who votes
 * @param members the voters, by id; empty if the number is 0. Immutable
 */
public record Voters(long number, List<Member> members) {

    /** The longest name that DNS has, in bytes. */
    private static final int HOST_LENGTH_MAX = 253;

    /**
     * One voter.
     *
     * @param id      the id of its node
     * @param address {@code host:port} at which it is reached, where this list or the settings say that; with an IPv6
     *                address in brackets
     */
    public record Member(String id, Optional<String> address) {

        @Override
        public String toString() {
            return id + address.map(at -> "=" + at).orElse("");
        }
    }

    /**
     * A list with a copy of its members.
     *
     * @param number  as the component
     * @param members copied
     * @throws NullPointerException if {@code members} is null or holds null
     */
    public Voters {
        members = List.copyOf(members);
    }

    /** {@return the ids of the voters, sorted} */
    public List<String> ids() {
        return members.stream().map(Member::id).toList();
    }

    /** {@return number and ids, as the log has them: {@code number 8: [n1, n2, n4]}} */
    @Override
    public String toString() {
        return "number " + number + ": " + ids();
    }

    /**
     * Reads a list that somebody wants.
     *
     * @param voters each {@code n4} or {@code n4=host:port}
     * @throws IllegalArgumentException if it is not 1 to 15, each once
     */
    static Map<NodeId, Optional<HostAndPort>> wanted(String... voters) {
        List<String> all = Arrays.asList(Objects.requireNonNull(voters, "voters"));
        all.forEach(voter -> Objects.requireNonNull(voter, "voter"));
        Check.argument(
                !all.isEmpty() && all.size() <= Engine.VOTERS_MAX,
                "voters %s: must be 1 to %d",
                all,
                Engine.VOTERS_MAX);
        Map<NodeId, Optional<HostAndPort>> wanted = new TreeMap<>();
        for (String voter : all) {
            int equals = voter.indexOf('=');
            try {
                NodeId id = new NodeId((equals < 0 ? voter : voter.substring(0, equals)).trim());
                Optional<HostAndPort> address = equals < 0
                        ? Optional.empty()
                        : Optional.of(
                                PeerList.address(voter.substring(equals + 1).trim()));
                address.ifPresent(at -> checkLength(at.host()));
                Check.argument(wanted.put(id, address) == null, "is given twice");
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("voter '" + voter + "': " + e.getMessage(), e);
            }
        }
        return wanted;
    }

    private static void checkLength(String host) {
        int length = host.getBytes(StandardCharsets.UTF_8).length;
        Check.argument(length <= HOST_LENGTH_MAX, "host of %d bytes: must be at most %d", length, HOST_LENGTH_MAX);
    }
}
