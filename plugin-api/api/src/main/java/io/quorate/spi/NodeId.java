package io.quorate.spi;

/**
 * The name of a node: one process with a started client. It is unique in the cluster, and the process keeps it over
 * restarts.
 *
 * <p>Node ids are ordered by their characters, so that every node sorts a list of nodes in the same way.
 *
 * @param value 1 to 64 ASCII letters, digits, {@code .}, {@code _} and {@code -}
 */
public record NodeId(String value) implements Comparable<NodeId> {

    /** The most characters of a name. They are as many bytes, because only ASCII is allowed. */
    public static final int LENGTH_MAX = 64;

    /**
     * A checked name.
     *
     * @param value 1 to 64 ASCII letters, digits, {@code .}, {@code _} and {@code -}
     * @throws IllegalArgumentException if {@code value} is null or no such name; the message states value and rule
     */
    public NodeId {
        if (value == null || !isLegal(value)) {
            throw new IllegalArgumentException("node id '" + value + "': must be 1 to " + LENGTH_MAX
                    + " characters out of letters, digits, '.', '_' and '-'");
        }
    }

    // By hand: every frame names two nodes.
    private static boolean isLegal(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean isLetter = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z';
            boolean isDigit = '0' <= c && c <= '9';
            if (!isLetter && !isDigit && c != '.' && c != '_' && c != '-') {
                return false;
            }
        }
        return !value.isEmpty() && value.length() <= LENGTH_MAX;
    }

    // By hand, as in the core's other ids: what a record is given is linked at run time, and slow until it is compiled.
    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof NodeId node && value.equals(node.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public int compareTo(NodeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
