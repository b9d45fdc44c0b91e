package io.quorate.nemesis;

import io.quorate.demo.Launch;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Nodes that reach each other by the same links, but run with other classes or in another environment. */
record Altered(Launch links, List<Path> folders, Map<String, Map<String, String>> environments) implements Launch {

    @Override
    public String peers(String node, Map<String, String> addresses) {
        return links.peers(node, addresses);
    }

    @Override
    public List<Path> classes(String node) {
        return folders;
    }

    @Override
    public Map<String, String> environment(String node) {
        return environments.getOrDefault(node, Map.of());
    }
}
