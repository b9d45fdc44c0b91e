package io.quorate.scenarios;

import io.quorate.testkit.simulation.Experiment;
import io.quorate.testkit.simulation.Experiment.End;
import io.quorate.testkit.simulation.Experiment.Figures;
import io.quorate.testkit.simulation.Experiment.Mode;
import io.quorate.testkit.simulation.PublishedScenario;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A {@link ScenarioTable} as Markdown: in full, and in short for docs/protocol.md#what-the-lease-adds. */
final class ScenarioReport {

    private static final String HEAD =
            """
            # What happens when links fail

            Published scenarios of partial connectivity and other faults, run with the shipped code in virtual
            time. Five voters (unless the scenario says otherwise), ranked by their ids, contend on one path; lease
            1 s, heartbeat 200 ms, messages take 0.2 to 1 ms, clocks may drift by 10 %. Every number is the worst
            of five seeds. `ScenarioTableTest` writes this file (`-Drewrite`), and fails when it differs from what
            the code does.

            **In short: under the lease there are never two leaders, and there is a leader whenever some node
            reaches a majority. Alone, every algorithm has two leaders in some scenario. Hardened, they agree on
            one again when everything has healed; as documented, four of the five keep two for ever.**
            """;

    private static final String LEASED =
            """
            ## Under the quorum lease

            How Quorate runs. There is one leader at most at every instant, in every run: checked after every
            step. A cell says for how long at the longest, in milliseconds, there was no leader *that reached a
            majority*, and in brackets for how long there was no leader at all: a leader that is cut off leads
            until its lease ends, and nobody else may before that. Then, if there were any, the changes of the
            leader. The test asserts that there is a leader again within 4 leases (4000 ms) wherever some node
            reaches a majority, none where no node does (*never*), and after the end of the fault exactly one
            within 4 leases, which stays.
            """;

    private static final String UNLEASED =
            """
            ## Each algorithm alone

            The mode `UNLEASED`: the documented algorithm with heartbeats every 200 ms and a suspicion after
            600 ms of silence, no lease and no votes. A leader is whoever takes itself for it; two at a time are
            **bold**. A cell says

            - how many led at one instant, at most, and in brackets for how long there were two or more;
              **for ever** if that was still so 4 to 10 s after everything had healed, when nothing tells them of
              each other any more;
            - for how long there was no leader that reached a majority, in milliseconds; *never* if there was none
              until the end of the fault (there may be one that believes in itself and is of no use);
            - if there were any, the changes: how often somebody began to lead.
            """;

    private static final String MESSAGES =
            """
            ## Messages per second

            Of the whole cluster, while the fault lasts (10 s at least), heartbeats and their acknowledgements
            included: under the lease / hardened alone / as documented alone. Under the lease a quiet path costs
            nothing but heartbeats, whatever the algorithm, and these serve any number of paths. A follower that
            alone does not hear the leader (chain, one-way link) keeps an election going that comes to nothing.
            """;

    private static final String SCENARIOS =
            """
            ## The scenarios

            `n5` has the best rank and leads when the fault begins, 5 s after the start (and up to 124 ms later,
            to meet the heartbeats at different phases). `leader` is the leader at that moment, `a-b` a link,
            `a>b` one direction of it, `*` everybody, `!n1` everybody but n1. Times are in milliseconds.
            """;

    private final ScenarioTable table;

    ScenarioReport(ScenarioTable table) {
        this.table = table;
    }

    // ---------------------------------------------------------------- in full

    String full() {
        StringBuilder text = new StringBuilder(HEAD);
        text.append('\n').append(LEASED).append('\n').append(byAlgorithm(cell(Mode.LEASED, this::leased)));
        text.append('\n').append(UNLEASED);
        text.append("\n### Hardened, with its term on disk\n\n")
                .append(byAlgorithm(cell(Mode.UNLEASED_HARDENED, this::unleased)))
                .append(totals(Mode.UNLEASED_HARDENED));
        text.append("\n### As documented\n\n")
                .append(byAlgorithm(cell(Mode.UNLEASED_FAITHFUL, this::unleased)))
                .append(totals(Mode.UNLEASED_FAITHFUL));
        text.append('\n').append(MESSAGES).append('\n').append(byAlgorithm(this::messages));
        text.append('\n').append(SCENARIOS).append('\n');
        table.scenarios().forEach(scenario -> text.append(definition(scenario)));
        return text.toString();
    }

    /** What stands in the table for a scenario and an algorithm. */
    private interface CellText {
        String of(PublishedScenario scenario, String algorithm);
    }

    private CellText cell(Mode mode, Function<Figures, String> text) {
        return (scenario, algorithm) -> text.apply(table.figures(scenario.name(), mode, algorithm));
    }

    private String byAlgorithm(CellText text) {
        List<String> header = new ArrayList<>(List.of("scenario"));
        header.addAll(ScenarioTable.ALGORITHMS);
        StringBuilder lines = new StringBuilder(row(header)).append("|---|---|---|---|---|---|\n");
        for (PublishedScenario scenario : table.scenarios()) {
            List<String> cells = new ArrayList<>(List.of(name(scenario)));
            ScenarioTable.ALGORITHMS.forEach(algorithm -> cells.add(text.of(scenario, algorithm)));
            lines.append(row(cells));
        }
        return lines.toString();
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    /** A bar would end the cell. */
    private static String name(PublishedScenario scenario) {
        return scenario.name().replace("|", "\\|");
    }

    private String leased(Figures figures) {
        String brackets = figures.leaderless() < figures.useless() ? " (" + figures.leaderless() + ")" : "";
        return time(figures.useless()) + brackets + changes(figures);
    }

    private String unleased(Figures figures) {
        return leaders(figures) + "; " + time(figures.useless()) + changes(figures);
    }

    private static String leaders(Figures figures) {
        if (figures.leadersForEver() == figures.leadersMax()) {
            return "**" + figures.leadersMax() + " for ever**";
        }
        String most = figures.leadersMax() == 1
                ? "1"
                : "**" + figures.leadersMax() + "** (" + rounded(figures.together()) + ")";
        if (figures.leadersForEver() > 0) {
            return most + ", then **" + figures.leadersForEver() + " for ever**";
        }
        if (figures.ends().contains(End.NONE)) {
            return most + ", then **none for ever**";
        }
        return most + (figures.ends().contains(End.UNSETTLED) ? ", then **changing for ever**" : "");
    }

    /** To a tenth of a second from one second on. */
    private static String rounded(long millis) {
        if (millis >= 1000) {
            return (millis + 50) / 1000 + "." + (millis + 50) / 100 % 10 + " s";
        }
        return millis == 0 ? "<1 ms" : millis + " ms";
    }

    private static String time(long millis) {
        return millis == Experiment.NEVER ? "*never*" : Long.toString(millis);
    }

    private static String changes(Figures figures) {
        return figures.changes() == 0
                ? ""
                : "; " + figures.changes() + (figures.changes() == 1 ? " change" : " changes");
    }

    private String totals(Mode mode) {
        List<String> several = new ArrayList<>(List.of("*two or more for ever: scenarios*"));
        ScenarioTable.ALGORITHMS.forEach(a -> several.add("*" + table.count(mode, a, End.SEVERAL) + "*"));
        return row(several);
    }

    private String messages(PublishedScenario scenario, String algorithm) {
        return List.of(Mode.values()).stream()
                .map(mode -> Long.toString(
                        table.figures(scenario.name(), mode, algorithm).messagesPerSecond()))
                .collect(Collectors.joining(" / "));
    }

    private static String definition(PublishedScenario scenario) {
        String faults = scenario.faults().isEmpty() ? "" : "\n```\n" + String.join("\n", scenario.faults()) + "\n```\n";
        return "**" + name(scenario) + "**: " + scenario.description() + "\n" + faults + "\n";
    }

    // ---------------------------------------------------------------- in short

    /** The worst over all algorithms, for each scenario in which something happens. */
    String brief() {
        StringBuilder lines = new StringBuilder(row(List.of(
                        "fault",
                        "leaders under the lease",
                        "longest without one",
                        "algorithm alone, hardened",
                        "alone, as documented")))
                .append("|---|---|---|---|---|\n");
        List<String> quiet = new ArrayList<>();
        for (PublishedScenario scenario : table.scenarios()) {
            List<Figures> worst = List.of(Mode.values()).stream()
                    .map(mode -> table.worst(scenario.name(), mode))
                    .toList();
            if (worst.stream().allMatch(figures -> figures.changes() == 0)) {
                quiet.add(scenario.name());
            } else {
                lines.append(row(List.of(
                        name(scenario),
                        leaders(worst.get(0)),
                        duration(worst.get(0).useless()),
                        leaders(worst.get(1)),
                        leaders(worst.get(2)))));
            }
        }
        return lines + "\nNothing changes in any column: " + String.join(", ", quiet) + ".\n";
    }

    private static String duration(long millis) {
        return millis == Experiment.NEVER ? "no majority, no leader" : millis == 0 ? "-" : rounded(millis);
    }
}
