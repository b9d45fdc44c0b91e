package io.quorate.lcr;

import io.quorate.lcr.LcrMessage.Probe;
import io.quorate.machine.Patience;
import io.quorate.ring.Attempt;
import io.quorate.spi.Election;
import io.quorate.spi.Message;
import io.quorate.testkit.model.ModelChecker.Sent;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.model.NormalForm;

/**
 * The hardened ring counts the attempts of each process for ever; in this form from 1 to {@code circle}, and then from
 * 1 again. A process compares the number of a PROBE of its own that has come home with that of its last attempt, for
 * equality, and nobody else looks at it. So nothing changes as long as no PROBE is on its way whose number its owner
 * would give to its next one: {@link #areAttemptsToldApart}, which must hold always.
 *
 * <p>How patient a process is (K8) is forgotten, because it is the length of its timer TR, and timers have none in the
 * checker.
 */
record LcrNormalForm(long circle) implements NormalForm {

    private Attempt inCircle(Attempt attempt) {
        return attempt.number() == 0
                ? attempt
                : new Attempt(attempt.incarnation(), (attempt.number() - 1) % circle + 1);
    }

    @Override
    public Election.State of(Election.State state, long elapsed) {
        HardenedLcrState full = (HardenedLcrState) state;
        return new HardenedLcrState(full.shared(), full.terms(), inCircle(full.attempt()), Patience.BASE);
    }

    @Override
    public Message of(Message message) {
        return message instanceof Probe probe
                ? new Probe(probe.id(), inCircle(probe.attempt()), probe.maxTerm(), probe.hops())
                : message;
    }

    boolean areAttemptsToldApart(World world) {
        for (int index = 0; index < world.messages(); index++) {
            Sent sent = world.message(index);
            if (sent.message() instanceof Probe probe
                    && world.isAlive(probe.id())
                    && probe.attempt().equals(next(((HardenedLcrState) world.state(probe.id())).attempt()))) {
                return false;
            }
        }
        return true;
    }

    private Attempt next(Attempt attempt) {
        return inCircle(attempt.next());
    }
}
