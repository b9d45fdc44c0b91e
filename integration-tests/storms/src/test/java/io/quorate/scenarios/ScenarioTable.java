package io.quorate.scenarios;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.simulation.Experiment;
import io.quorate.testkit.simulation.Experiment.End;
import io.quorate.testkit.simulation.Experiment.Figures;
import io.quorate.testkit.simulation.Experiment.Mode;
import io.quorate.testkit.simulation.PublishedScenario;
import io.quorate.testkit.simulation.Scenario;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/** Every published scenario with every algorithm in every mode, each with several seeds: the worst of them. */
final class ScenarioTable {

    /** The shipped algorithms, in the order of the columns. */
    static final List<String> ALGORITHMS = List.of("ballot", "bully", "lcr", "token-ring", "three-phase");

    private static final int SEEDS = 5;
    /** Faults begin a little later with each seed, so that they meet heartbeats of 200 ms at different phases. */
    private static final int SHIFT_MILLIS = 31;

    /** One scenario with one algorithm in one mode. */
    record Cell(String scenario, Mode mode, String algorithm) {}

    private final Map<String, PublishedScenario> scenarios = new LinkedHashMap<>();
    private final Map<Cell, Figures> figures = new LinkedHashMap<>();

    private ScenarioTable() {}

    /** Runs these scenarios. */
    static ScenarioTable measure(List<PublishedScenario> scenarios) {
        ScenarioTable table = new ScenarioTable();
        for (PublishedScenario scenario : scenarios) {
            table.scenarios.put(scenario.name(), scenario);
            for (Mode mode : Mode.values()) {
                for (String algorithm : ALGORITHMS) {
                    table.figures.put(
                            new Cell(scenario.name(), mode, algorithm), measure(scenario, algorithm(algorithm), mode));
                }
            }
        }
        return table;
    }

    private static ElectionAlgorithm algorithm(String name) {
        return ServiceLoader.load(ElectionAlgorithm.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Figures measure(PublishedScenario published, ElectionAlgorithm algorithm, Mode mode) {
        Figures worst = null;
        for (int seed = 1; seed <= SEEDS; seed++) {
            Scenario scenario = published.scenario(seed).later((seed - 1) * SHIFT_MILLIS);
            Figures figures = Experiment.run(scenario, algorithm, mode);
            worst = worst == null ? figures : worst.worse(figures);
        }
        return worst;
    }

    List<PublishedScenario> scenarios() {
        return List.copyOf(scenarios.values());
    }

    Set<Cell> cells() {
        return figures.keySet();
    }

    Figures figures(String scenario, Mode mode, String algorithm) {
        return figures(new Cell(scenario, mode, algorithm));
    }

    Figures figures(Cell cell) {
        return figures.get(cell);
    }

    /** The worst over all algorithms. */
    Figures worst(String scenario, Mode mode) {
        return ALGORITHMS.stream()
                .map(algorithm -> figures(scenario, mode, algorithm))
                .reduce(Figures::worse)
                .orElseThrow();
    }

    // ---------------------------------------------------------------- what the lease promises

    /** What may be promised. */
    enum Promise {
        ONE_LEADER,
        LEADER_IF_MAJORITY,
        NO_LEADER_WITHOUT_MAJORITY,
        ONE_LEADER_AFTER_HEALING
    }

    /** The promises that these figures break. */
    Set<Promise> broken(Cell cell) {
        PublishedScenario scenario = scenarios.get(cell.scenario());
        Figures measured = figures.get(cell);
        Set<Promise> broken = EnumSet.noneOf(Promise.class);
        if (measured.leadersMax() > 1) {
            broken.add(Promise.ONE_LEADER);
        }
        if (scenario.hasMajority() && measured.useless() > Experiment.bound(scenario.scenario(1))) {
            broken.add(Promise.LEADER_IF_MAJORITY);
        }
        if (!scenario.hasMajority() && measured.leaderless() != Experiment.NEVER) {
            broken.add(Promise.NO_LEADER_WITHOUT_MAJORITY);
        }
        if (!measured.ends().equals(EnumSet.of(End.ONE))) {
            broken.add(Promise.ONE_LEADER_AFTER_HEALING);
        }
        return broken;
    }

    /** Every cell of the mode that breaks a promise, and which. */
    Map<Cell, Set<Promise>> broken(Mode mode) {
        Map<Cell, Set<Promise>> all = new LinkedHashMap<>();
        for (Cell cell : figures.keySet()) {
            if (cell.mode() == mode && !broken(cell).isEmpty()) {
                all.put(cell, broken(cell));
            }
        }
        return all;
    }

    /** How many scenarios with the algorithm ended so, with some seed. */
    long count(Mode mode, String algorithm, End end) {
        return scenarios.keySet().stream()
                .filter(s -> figures(s, mode, algorithm).ends().contains(end))
                .count();
    }
}
