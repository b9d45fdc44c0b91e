package io.quorate.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.quorate.cli.Nodes.Said;
import io.quorate.transport.Keyring;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The reports of a cluster's nodes on themselves and on each other.
 *
 * @param asked    each address, in the order in which they were given
 * @param voters   those of the newest list that a node knows
 * @param others   the voters that no address has answered for, with the nodes that are supported by them
 * @param problems a sentence each; empty if all is well
 * @param remarks  a sentence each about what is no fault yet, and should be looked at
 */
record ClusterStatus(
        List<Said<NodeStatus>> asked,
        Set<String> voters,
        Map<String, List<String>> others,
        Verdict verdict,
        List<String> problems,
        List<String> remarks) {

    /** Paths of one node that a table names. */
    private static final int PATHS_MAX = 2;

    enum Verdict {
        HEALTHY(Exit.YES),
        DEGRADED(Exit.NO),
        NO_MAJORITY(Exit.NOBODY);

        private final int exitCode;

        Verdict(int exitCode) {
            this.exitCode = exitCode;
        }

        int exitCode() {
            return exitCode;
        }
    }

    static ClusterStatus of(List<Said<NodeStatus>> asked, Instant now) {
        List<NodeStatus> answers =
                asked.stream().flatMap(each -> each.said().stream()).toList();
        long newest = answers.stream().mapToLong(NodeStatus::votersNumber).max().orElse(0);
        Set<String> voters = answers.stream()
                .filter(each -> each.votersNumber() == newest)
                .flatMap(each -> each.voters().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, List<String>> others = new TreeMap<>();
        for (String voter : voters) {
            if (answers.stream().noneMatch(each -> each.node().equals(voter))) {
                others.put(
                        voter,
                        answers.stream()
                                .filter(each -> each.supporters().contains(voter))
                                .map(NodeStatus::node)
                                .distinct()
                                .toList());
            }
        }
        List<String> problems = new ArrayList<>();
        boolean hasMajority = hasMajority(answers, voters);
        if (!hasMajority) {
            problems.add(
                    answers.isEmpty()
                            ? "no node answers"
                            : "no majority of the voters " + names(voters)
                                    + " is known to be connected: start those that"
                                    + " are missing; their logs say what keeps them away");
        }
        problems.addAll(problems(asked, newest, now));
        problems.addAll(twins(asked));
        problems.addAll(withoutVote(answers, voters));
        Verdict verdict = !hasMajority ? Verdict.NO_MAJORITY : problems.isEmpty() ? Verdict.HEALTHY : Verdict.DEGRADED;
        return new ClusterStatus(asked, voters, others, verdict, problems, remarks(answers, now));
    }

    /** Lists what may soon become a fault. */
    private static List<String> remarks(List<NodeStatus> answers, Instant now) {
        List<String> remarks = new ArrayList<>();
        for (NodeStatus node : answers) {
            node.certificate()
                    .filter(end -> !end.isBefore(now) && end.isBefore(now.plus(Keyring.WARNED_BEFORE)))
                    .ifPresent(end -> remarks.add(Shown.of("the certificate of " + node.node()) + " ends at " + end
                            + ", in " + Duration.between(now, end).toDays() + " days: put another one in its place"));
            if (node.isConnected()
                    && node.margin().filter(margin -> margin == 0).isPresent()) {
                remarks.add(Shown.of(node.node()) + " lost the support of a majority in the last minute: look for"
                        + " pauses, load and a slow network");
            }
        }
        return remarks.stream().distinct().toList();
    }

    /** A voter is well if it says so, or if a node says so that it supports. */
    private static boolean hasMajority(List<NodeStatus> answers, Set<String> voters) {
        Set<String> well = new TreeSet<>();
        for (NodeStatus answer : answers) {
            if (answer.isConnected()) {
                well.add(answer.node());
                well.addAll(answer.supporters());
            }
        }
        well.retainAll(voters);
        return 2 * well.size() > voters.size();
    }

    /**
     * A voter that runs and supports nobody, such as one whose data directory was emptied: the next loss of a voter is
     * the loss of the majority. A node that is not heard, or not connected, is reported already.
     */
    private static List<String> withoutVote(List<NodeStatus> answers, Set<String> voters) {
        Set<String> heard = new TreeSet<>();
        Set<String> supporting = new TreeSet<>();
        for (NodeStatus answer : answers) {
            if (answer.isConnected()) {
                heard.addAll(answer.hears());
                supporting.addAll(answer.supporters());
            } else {
                supporting.add(answer.node());
            }
        }
        return voters.stream()
                .filter(voter -> heard.contains(voter) && !supporting.contains(voter))
                .map(
                        voter -> Shown.of(voter)
                                + " is heard, but does not support any node that was asked: it does not vote, and its log says why")
                .toList();
    }

    /** Two addresses may be those of one process; answers that differ are hardly. */
    private static List<String> twins(List<Said<NodeStatus>> asked) {
        Map<String, Map<String, String>> statesByNode = new TreeMap<>();
        for (Said<NodeStatus> each : asked) {
            each.said().ifPresent(said -> statesByNode
                    .computeIfAbsent(said.node(), node -> new TreeMap<>())
                    .putIfAbsent(
                            said.state(), said.state() + " at " + each.url().text()));
        }
        return statesByNode.entrySet().stream()
                .filter(node -> node.getValue().size() > 1)
                .map(node -> Shown.of(node.getKey() + " answers at two addresses: "
                        + String.join(", and ", node.getValue().values()) + ". If these are two processes, stop one"))
                .toList();
    }

    private static List<String> problems(List<Said<NodeStatus>> asked, long newest, Instant now) {
        List<String> problems = new ArrayList<>();
        Set<String> clusters = new TreeSet<>();
        Set<List<String>> voters = new LinkedHashSet<>();
        List<String> older = new ArrayList<>();
        for (Said<NodeStatus> each : asked) {
            if (each.said().isEmpty()) {
                problems.add(each.url() + ": " + each.silence());
                continue;
            }
            NodeStatus node = each.said().get();
            clusters.add(node.cluster());
            if (node.votersNumber() == newest) {
                voters.add(node.voters().stream().sorted().toList());
            } else if (node.votersNumber() > 0) {
                older.add(Shown.of(node.node()) + " knows an older list of voters: number " + node.votersNumber()
                        + ", and the newest is number " + newest);
            }
            if (node.certificate().filter(end -> end.isBefore(now)).isPresent()) {
                problems.add(Shown.of("the certificate of " + node.node()) + " has ended at "
                        + node.certificate().get() + ": put another one in its place");
            }
            if (node.isConnected()) {
                // The reason of the others names them.
                node.problems().forEach(problem -> problems.add(Shown.of(node.node() + ": " + problem)));
            }
            if (!node.isConnected()) {
                problems.add(Shown.of(node.node() + " is " + node.state() + ": " + node.reason()));
            } else if (!node.missing().isEmpty()) {
                problems.add(Shown.of(node.node()) + " does not hear " + names(node.missing()));
            }
        }
        if (clusters.size() > 1) {
            problems.add("the nodes are of different clusters: " + names(clusters));
            return problems;
        }
        problems.addAll(older);
        if (voters.size() > 1) {
            problems.add("the nodes have different lists of voters: "
                    + voters.stream().map(ClusterStatus::names).collect(Collectors.joining(" and ")));
        }
        return problems;
    }

    private List<Said<NodeStatus>> answered() {
        return asked.stream().filter(each -> each.said().isPresent()).toList();
    }

    private static String names(Collection<String> names) {
        return Shown.of(String.join(", ", names));
    }

    // ---------------------------------------------------------------- for people

    String table() {
        Table table = new Table("NODE", "VOTER", "STATE", "SUPPORTED-BY", "LEADS", "MARGIN", "VERSION");
        // An address that does not answer is among the problems; whose it is, nobody knows.
        asked.forEach(each -> each.said().ifPresent(said -> row(table, said)));
        others.forEach((voter, supported) -> table.row(
                Shown.of(voter),
                "yes",
                "UNKNOWN: " + (supported.isEmpty() ? "supports none that was asked" : "supports " + names(supported))));
        StringBuilder text = new StringBuilder(table.text());
        text.append('\n').append(verdict).append('\n');
        problems.forEach(problem -> text.append("  ").append(problem).append('\n'));
        remarks.forEach(remark -> text.append("  ").append(remark).append('\n'));
        answered().forEach(each -> paths(each.said().orElseThrow(), " leaves ", NodeStatus::leaving, text));
        answered().forEach(each -> paths(each.said().orElseThrow(), " moves on ", NodeStatus::stages, text));
        return text.toString();
    }

    private void row(Table table, NodeStatus node) {
        table.row(
                Shown.of(node.node()),
                voters.contains(node.node()) ? "yes" : "no",
                Shown.of(node.state()),
                node.supporters().size() + " of " + node.voters().size(),
                leads(node),
                node.margin().map(margin -> margin + " ms").orElse("-"),
                node.version().map(Shown::of).orElse("-"));
    }

    /** Some of the paths with which a node does something that is no problem, and how many more there are. */
    private static void paths(
            NodeStatus node, String does, Function<NodeStatus, Map<String, String>> asked, StringBuilder text) {
        Map<String, String> byPath = asked.apply(node);
        byPath.entrySet().stream().limit(PATHS_MAX).forEach(each -> text.append("  ")
                .append(Shown.of(node.node() + does + each.getKey() + ": " + each.getValue()))
                .append('\n'));
        int more = byPath.size() - PATHS_MAX;
        if (more > 0) {
            text.append("  ")
                    .append(Shown.of(node.node()))
                    .append(does)
                    .append(more)
                    .append(" more\n");
        }
    }

    private static String leads(NodeStatus node) {
        if (node.leads().isEmpty()) {
            return "-";
        }
        return node.leads().size() <= PATHS_MAX
                ? Shown.of(String.join(" ", node.leads().keySet()))
                : node.leads().size() + " paths";
    }

    // ---------------------------------------------------------------- for programs

    String json() {
        return JsonLine.of(json -> {
            json.writeStringField("verdict", verdict.name());
            JsonLine.texts(json, "problems", problems);
            JsonLine.texts(json, "remarks", remarks);
            JsonLine.texts(json, "voters", voters);
            JsonLine.objects(json, "nodes", answered(), (object, each) -> {
                object.writeStringField("url", each.url().text());
                write(object, each.said().orElseThrow());
            });
            JsonLine.objects(json, "notAsked", others.entrySet(), (object, other) -> {
                object.writeStringField("node", other.getKey());
                JsonLine.texts(object, "supports", other.getValue());
            });
            JsonLine.silent(json, asked);
        });
    }

    private void write(JsonGenerator json, NodeStatus node) throws IOException {
        json.writeStringField("node", node.node());
        json.writeStringField("cluster", node.cluster());
        json.writeBooleanField("voter", voters.contains(node.node()));
        json.writeStringField("state", node.state());
        json.writeStringField("reason", node.reason());
        JsonLine.texts(json, "supporters", node.supporters());
        JsonLine.texts(json, "hears", node.hears());
        JsonLine.objects(json, "leads", node.leads().entrySet(), (object, led) -> {
            object.writeStringField("path", led.getKey());
            object.writeNumberField("token", led.getValue().longValue());
        });
        JsonLine.objects(json, "leaving", node.leaving().entrySet(), (object, left) -> {
            object.writeStringField("path", left.getKey());
            object.writeStringField("reason", left.getValue());
        });
        JsonLine.objects(json, "stages", node.stages().entrySet(), (object, each) -> {
            object.writeStringField("path", each.getKey());
            object.writeStringField("stage", each.getValue());
        });
        JsonLine.number(json, "margin", node.margin());
        JsonLine.texts(json, "problems", node.problems());
        JsonLine.text(json, "version", node.version());
    }
}
