package io.quorate.ring;

import io.quorate.algorithms.Machine;
import io.quorate.algorithms.Notation;
import io.quorate.lcr.LcrAlgorithm;
import io.quorate.lcr.LcrNotation;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.tokenring.TokenRingAlgorithm;
import io.quorate.tokenring.TokenRingNotation;
import java.util.function.Function;

/** The two rings, and what differs between them in what both do. Delta is 10. */
enum Ring {
    LCR(new LcrAlgorithm(), LcrNotation::new, 3, "PROBE(%d)", "PROBE(%d,(%s),%d,1)", "PROBE(3,(%s),%d,3)"),
    TOKEN_RING(
            new TokenRingAlgorithm(),
            TokenRingNotation::new,
            2,
            "ELECTION((%d))",
            "ELECTION((%d),(%s),%d)",
            "ELECTION((3,1,2),(%s),%d)");

    final ElectionAlgorithm algorithm;
    private final Function<Variant, Notation> notation;
    /** How often an election goes round the ring at most, if nothing fails. */
    final int circulations;

    private final String ownInFaithful;
    private final String own;
    private final String ownBack;

    Ring(
            ElectionAlgorithm algorithm,
            Function<Variant, Notation> notation,
            int circulations,
            String ownInFaithful,
            String own,
            String ownBack) {
        this.algorithm = algorithm;
        this.notation = notation;
        this.circulations = circulations;
        this.ownInFaithful = ownInFaithful;
        this.own = own;
        this.ownBack = ownBack;
    }

    /** A machine that was not started yet; its id counts from 1. */
    Machine process(int id, int size, Options options) {
        return process(Membership.of(id - 1, size), new Timing(10), options);
    }

    Machine process(Membership membership, Timing timing, Options options) {
        return new Machine(algorithm.create(membership, timing, options), notation.apply(options.variant()));
    }

    Notation notation(Variant variant) {
        return notation.apply(variant);
    }

    /** F: what a process begins an election with. */
    String own(int id) {
        return ownInFaithful.formatted(id);
    }

    /** H: the same, with {@code inc,k} as its attempt. */
    String own(int id, String attempt, long term) {
        return own.formatted(id, attempt, term);
    }

    /** H: what process 3 of 3 began an election with, when it has gone round. */
    String ownBack(String attempt, long term) {
        return ownBack.formatted(attempt, term);
    }

    /** H: that the retry is set. */
    String retry(int size) {
        return "set TR=" + (10 * circulations * size + 10);
    }
}
