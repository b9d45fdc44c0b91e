package io.quorate.cli;

import io.quorate.cli.Nodes.Answer;
import io.quorate.cli.Nodes.Said;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Changes one node, which is found by its id. */
final class OneNode {

    /** A change takes a node microseconds. A longer {@code --timeout} counts in its place. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final NodeOptions options;
    private final ChangeOptions change;
    private final String node;

    /** @param node its id */
    OneNode(NodeOptions options, ChangeOptions change, String node) {
        this.options = options;
        this.change = change;
        this.node = node;
    }

    /**
     * Finds it, asks whether to go on, and asks it for the change.
     *
     * @param target   begins with a slash
     * @param question as {@link ChangeOptions#confirm} takes it
     * @throws CommandFailed if it is not found, or does not answer that it is done
     */
    void change(String target, String question) throws CommandFailed, InterruptedException {
        Nodes nodes = options.nodes();
        String token = change.token();
        Url url = find(nodes);
        change.requireFit(url);
        change.confirm(question);
        try {
            Answer answer = nodes.change(url, target, token, changeWait(options), () -> {});
            if (answer.status() != 200) {
                throw NodeStatus.unexpected(answer.status(), answer.body());
            }
        } catch (NoAnswer e) {
            throw new CommandFailed(Exit.NO, url + ": " + e.reason());
        }
    }

    static Duration changeWait(NodeOptions options) {
        return options.timeout().compareTo(WAIT) > 0 ? options.timeout() : WAIT;
    }

    private Url find(Nodes nodes) throws CommandFailed, InterruptedException {
        List<Said<NodeStatus>> all = nodes.ask(NodeStatus.ENDPOINT, NodeStatus::read);
        List<Url> found = all.stream()
                .filter(each ->
                        each.said().filter(said -> said.node().equals(node)).isPresent())
                .map(Said::url)
                .toList();
        // An impostor at the address of a stopped node can say its id. The others hear only the node itself.
        boolean isThere = Nodes.agreed(all, said -> Optional.of(knows(said))).stream()
                .anyMatch(each -> found.contains(each.url()));
        if (found.size() == 1 && isThere) {
            return found.get(0);
        }
        String who = "'" + Shown.of(node) + "'";
        String each = all.stream()
                .map(one -> one.url() + " is "
                        + one.said().map(said -> Shown.of(said.node())).orElse("unknown, " + one.silence()))
                .collect(Collectors.joining("; "));
        if (found.isEmpty()) {
            throw new CommandFailed(Exit.NOBODY, "no --url is of node " + who + ": " + each);
        }
        throw new CommandFailed(
                Exit.NO,
                (found.size() == 1
                                ? found.get(0) + " says that it is " + who + ", and more than half of the addresses"
                                        + " do not confirm that they hear that voter"
                                : found.size() + " addresses say that they are " + who)
                        + Nodes.NOT_AGREED + "; " + each);
    }

    /** Whether it is the node, or hears it. Only voters are heard. */
    private boolean knows(NodeStatus said) {
        return said.node().equals(node)
                || said.hears().contains(node)
                || said.supporters().contains(node);
    }
}
