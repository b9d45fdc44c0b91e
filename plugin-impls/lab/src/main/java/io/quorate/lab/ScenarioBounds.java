package io.quorate.lab;

import io.quorate.testkit.simulation.Fault;
import io.quorate.testkit.simulation.Scenario;
import java.util.List;

/** The largest scenarios that run in seconds: docs/lab.md#scenarios. A short file may ask for hours of work. */
final class ScenarioBounds {

    private static final int FAULTS_MAX = 500;

    private static final int PATHS_MAX = 2000;

    /** Per second and node. */
    private static final int LIES_MAX = 2000;

    /** In milliseconds. With nine nodes there are 1,440 heartbeats a second then, and as many answers. */
    private static final int HEARTBEAT_MIN = 50;

    private ScenarioBounds() {}

    /**
     * Returns the scenario.
     *
     * @throws IllegalArgumentException if it is larger; says the value and the bound
     */
    static Scenario checked(Scenario scenario) {
        List<Fault> faults = scenario.faults();
        atMost("faults", faults.size(), FAULTS_MAX);
        atMost("contend_many, of all faults together,", sum(faults, Fault.Kind.CONTEND_MANY), PATHS_MAX);
        atMost("lie, of all faults together,", sum(faults, Fault.Kind.LIE), LIES_MAX);
        if (scenario.setup().heartbeat() < HEARTBEAT_MIN) {
            throw new IllegalArgumentException("heartbeat " + scenario.setup().heartbeat() + ": must be at least "
                    + HEARTBEAT_MIN + " in the lab");
        }
        return scenario;
    }

    private static long sum(List<Fault> faults, Fault.Kind kind) {
        return faults.stream()
                .filter(fault -> fault.kind() == kind)
                .mapToLong(Fault::amount)
                .sum();
    }

    private static void atMost(String what, long value, int max) {
        if (value > max) {
            throw new IllegalArgumentException(what + " " + value + ": must be at most " + max + " in the lab");
        }
    }
}
