package io.quorate.threephase;

import io.quorate.algorithms.Machine;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import java.util.Arrays;

/** Machines in the profile of the traces: delta = 10, T_hb = 20, T_D = 40. */
final class Machines {

    private Machines() {}

    /** {@code priorities} are those of the processes 0, 1, 2 and so on, with commas between them. */
    static Setup setup(Membership membership, Options options, String priorities) {
        Times times = Times.of(new Timing(10), options.variant());
        return new Setup(
                membership,
                new Times(times.delta(), times.heartbeat(), 40, times.window()),
                options,
                Priorities.of(
                        Arrays.stream(priorities.split(",")).map(Long::valueOf).toList()));
    }

    static Machine of(int self, String priorities, Options options) {
        int size = priorities.split(",").length;
        return machine(
                ThreePhaseElection.create(setup(Membership.of(self, size), options, priorities)), options.variant());
    }

    static Machine machine(ThreePhaseElection election, Variant variant) {
        return new Machine(election, new ThreePhaseNotation(variant));
    }
}
