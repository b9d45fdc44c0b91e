package io.quorate.threephase;

import io.quorate.spi.Check;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import java.util.ArrayList;
import java.util.List;

/**
 * The constant setting of a machine.
 *
 * @param priorities the ListPRI that all processes start with: one priority for each
 */
record Setup(Membership membership, Times times, Options options, Priorities priorities) {

    Setup {
        Check.argument(
                priorities.byProcess().size() == membership.contenders(),
                "%d priorities for %d processes",
                priorities.byProcess().size(),
                membership.contenders());
    }

    /** The number of a process is its priority: the best ranked leads. */
    static Setup of(Membership membership, Timing timing, Options options) {
        List<Long> numbers = new ArrayList<>();
        for (long process = 0; process < membership.contenders(); process++) {
            numbers.add(process);
        }
        return new Setup(membership, Times.of(timing, options.variant()), options, Priorities.of(numbers));
    }
}
