package io.quorate.core.voters;

import io.quorate.core.settings.WireParts;
import io.quorate.spi.Check;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The promises and acceptances of one voter about the list that follows its own, one Paxos decision per number
 * (docs/reconfiguration.md, R4, R5). Pure and immutable: each step returns the state that must be durable before any
 * node is told of it. After a crash the voter reads it again.
 *
 * @param config   the newest decided configuration that the voter knows
 * @param promised no attempt below this one is accepted any more; empty if nothing was promised
 * @param accepted what was accepted last; empty if nothing was
 */
public record PaxosState(VoterList config, Optional<Round> promised, Optional<Accepted> accepted) {

    /**
     * A value that a voter has accepted. It is decided when a majority has, which the voter does not know.
     *
     * @param round in which attempt
     * @param value the configuration that follows
     */
    public record Accepted(Round round, VoterList value) {

        /** Writes the fields. */
        public void writeTo(WireWriter out) {
            round.writeTo(out);
            value.writeTo(out);
        }

        /** Reads what {@link #writeTo} wrote. */
        public static Accepted read(WireReader in) throws MalformedInputException {
            return new Accepted(Round.read(in), VoterList.read(in));
        }
    }

    public PaxosState {
        Check.argument(
                accepted.isEmpty()
                        || promised.isPresent()
                                && promised.get().compareTo(accepted.get().round()) >= 0,
                "accepted %s: must not be above the promise %s",
                accepted,
                promised);
    }

    /** A voter that has promised nothing. */
    public static PaxosState at(VoterList config) {
        return new PaxosState(config, Optional.empty(), Optional.empty());
    }

    /**
     * The value that a proposer has to propose again, because it may be decided already: among the values that a
     * majority of promises tells of, the one of the highest round.
     *
     * @return empty if the proposer is free
     */
    public static Optional<Accepted> last(Stream<Accepted> accepted) {
        return accepted.max(Comparator.comparing(Accepted::round));
    }

    /** The number that is decided next. */
    public long slot() {
        return config.number() + 1;
    }

    /** A decided list was heard of: promises for a number that is decided are void (R8). */
    public PaxosState learn(VoterList decided) {
        return decided.number() > config.number() ? at(decided) : this;
    }

    /** Whether this state may promise that attempt: it is for the open number, and above all promises. */
    public boolean mayPromise(long slot, Round round) {
        return slot == slot() && (promised.isEmpty() || round.compareTo(promised.get()) > 0);
    }

    /** The state with the promise. */
    public PaxosState promise(long slot, Round round) {
        Check.state(mayPromise(slot, round), "promise %s of %d: not with %s", round, slot, this);
        return new PaxosState(config, Optional.of(round), accepted);
    }

    /** Whether exactly this was promised, and nothing since. */
    public boolean hasPromised(long slot, Round round) {
        return slot == slot() && promised.equals(Optional.of(round));
    }

    /**
     * Whether this state may accept the value of that attempt: for the open number, not below the promise, once, and
     * only if the value may follow.
     */
    public boolean mayAccept(long slot, Round round, VoterList value) {
        return slot == slot()
                && (promised.isEmpty() || round.compareTo(promised.get()) >= 0)
                && (accepted.isEmpty() || round.compareTo(accepted.get().round()) > 0)
                && config.mayBecome(value);
    }

    /** The state with what it has accepted. */
    public PaxosState accept(long slot, Round round, VoterList value) {
        Check.state(mayAccept(slot, round, value), "accept %s in %s: not with %s", value, round, this);
        return new PaxosState(config, Optional.of(round), Optional.of(new Accepted(round, value)));
    }

    /** Whether exactly this was accepted last. */
    public boolean hasAccepted(long slot, Round round) {
        return slot == slot()
                && accepted.filter(last -> last.round().equals(round)).isPresent();
    }

    /** Writes the fields. */
    public void writeTo(WireWriter out) {
        config.writeTo(out);
        WireParts.writeOptional(promised, Round::writeTo, out);
        WireParts.writeOptional(accepted, Accepted::writeTo, out);
    }

    /**
     * Reads what {@link #writeTo} wrote.
     *
     * @throws IllegalArgumentException if there is no such state
     */
    public static PaxosState read(WireReader in) throws MalformedInputException {
        return new PaxosState(
                VoterList.read(in),
                WireParts.readOptional(Round::read, in),
                WireParts.readOptional(Accepted::read, in));
    }
}
