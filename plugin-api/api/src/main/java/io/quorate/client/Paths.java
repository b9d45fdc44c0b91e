package io.quorate.client;

/** The rules for paths: those of ZooKeeper, with its messages. */
public final class Paths {

    private Paths() {}

    /**
     * Answers the path itself if it is legal: {@code /}, or a slash before each of one or more names, which are not
     * empty, not {@code .} or {@code ..}, and free of control characters, surrogates and private-use characters.
     *
     * @throws IllegalArgumentException if it is not; the message names the rule and the position
     */
    public static String validated(String path) {
        if (path == null) {
            throw new IllegalArgumentException("Path cannot be null");
        }
        if (path.isEmpty()) {
            throw new IllegalArgumentException("Path length must be > 0");
        }
        if (path.charAt(0) != '/') {
            throw new IllegalArgumentException("Path must start with / character");
        }
        if (path.length() == 1) {
            return path;
        }
        if (path.endsWith("/")) {
            throw new IllegalArgumentException("Path must not end with / character");
        }
        for (int index = 1; index < path.length(); index++) {
            String fault = faultAt(path, index);
            if (!fault.isEmpty()) {
                throw new IllegalArgumentException(
                        "Invalid path string \"" + path + "\" caused by " + fault + " @" + index);
            }
        }
        return path;
    }

    private static String faultAt(String path, int index) {
        char character = path.charAt(index);
        if (character == 0) {
            return "null character not allowed";
        }
        if (path.startsWith("//", index - 1)) {
            return "empty node name specified";
        }
        if (endsName(path, index)
                && (name(path, index).equals(".") || name(path, index).equals(".."))) {
            return "relative paths not allowed";
        }
        // The misspelt word is ZooKeeper's. Unlike there, the ends of the ranges are refused too: they cannot be sent.
        boolean isLegal = !Character.isISOControl(character)
                && (character < '\ud800' || character > '\uf8ff')
                && character < '\ufff0';
        return isLegal ? "" : "invalid charater";
    }

    private static boolean endsName(String path, int index) {
        return index + 1 == path.length() || path.charAt(index + 1) == '/';
    }

    private static String name(String path, int last) {
        return path.substring(path.lastIndexOf('/', last) + 1, last + 1);
    }

    /** The path below the namespace; the path itself if the namespace is empty. */
    public static String inNamespace(String namespace, String path) {
        if (namespace.isEmpty()) {
            return path;
        }
        return path.equals("/") ? "/" + namespace : "/" + namespace + path;
    }

    /** The path that {@link #inNamespace} has put below the namespace. */
    static String withoutNamespace(String namespace, String pathInCluster) {
        if (namespace.isEmpty()) {
            return pathInCluster;
        }
        String path = pathInCluster.substring(1 + namespace.length());
        return path.isEmpty() ? "/" : path;
    }

    /** The path on which the tandems and shadows of a path stand: docs/migration.md#the-guard. */
    public static String stages(String path) {
        return child(path, "quorate-stages");
    }

    /** The path of a child. */
    static String child(String path, String name) {
        return path.equals("/") ? "/" + name : path + "/" + name;
    }
}
