package io.quorate.nemesis;

import io.quorate.demo.Cluster;
import io.quorate.demo.NodeProcess;
import io.quorate.demo.NodeProcess.View;
import io.quorate.demo.RunHistory.Answers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Asks all nodes, again and again, until all name the same leader and token, that one leads with it, and everybody
 * contends, as everybody knows. Answers who it is.
 */
final class Agreement implements Supplier<Optional<Answers>> {

    private final Cluster cluster;
    private final Map<NodeProcess, Long> asked = new TreeMap<>(
            (one, other) -> one.life().node().compareTo(other.life().node()));

    Agreement(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Optional<Answers> get() {
        boolean areAnswered =
                asked.entrySet().stream().allMatch(node -> node.getKey().view().number() >= node.getValue());
        if (!areAnswered) {
            return Optional.empty();
        }
        Optional<Answers> agreed = asked.isEmpty() ? Optional.empty() : agreed();
        if (agreed.isEmpty()) {
            cluster.ids().stream().map(cluster::node).forEach(node -> asked.put(node, node.askView()));
        }
        return agreed;
    }

    private Optional<Answers> agreed() {
        List<View> views = asked.keySet().stream().map(NodeProcess::view).toList();
        boolean isSame = views.stream().map(View::token).distinct().count() == 1
                && views.stream().map(View::leader).distinct().count() == 1;
        boolean areAll = views.stream()
                .allMatch(view ->
                        view.contenders().stream().collect(Collectors.toSet()).containsAll(cluster.ids()));
        View view = views.get(0);
        return isSame && areAll
                ? cluster.history()
                        .lastLeader()
                        .filter(leader -> leader.token() == view.token()
                                && leader.life()
                                        .equals(cluster.node(view.leader()).life()))
                : Optional.empty();
    }
}
