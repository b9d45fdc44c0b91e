package io.quorate.testkit.simulation;

/** A simulated cluster has broken one of the rules that it must keep in every run. */
public final class BrokenRule extends AssertionError {

    private static final long serialVersionUID = 1L;

    /** A rule that must hold. */
    public enum Rule {
        /** At every instant at most one contender of a path holds a valid tenure. */
        ONE_LEADER,
        /** Every tenure of a path has a higher token than all tenures before it, across restarts. */
        TOKENS_RISE,
        /** A resource that refuses tokens below the highest it has seen takes no write of an earlier tenure. */
        NO_STALE_WRITE,
        /** A contender is told of the beginning and of the end of its tenures strictly in turns. */
        CALLS_ALTERNATE,
        /** The number of timers, waiting events and messages on their way has a bound. */
        BOUNDED,
        /** A node does not fail by itself. */
        NO_FAILURE,
        /** After the last fault every contended path has a leader within the bound. */
        LEADER_IN_THE_END,
        /** Nobody leads who ranks last, within the bound, where somebody contends who does not. */
        ELIGIBLE_LEADS,
        /** A leader that is to leave does so, or stays, within the bound from when its work is finished. */
        LEAVES_IN_TIME,
        /** A leader that nothing disturbs stays. */
        LEADER_STAYS,
        /** No two nodes ever have different voters under one number. */
        ONE_DECISION,
        /**
         * At every instant leases count under the last two lists of voters that are decided, and under no older one.
         */
        LAST_TWO_LISTS,
        /**
         * After the last fault a change of voters that is asked for is done within the bound, and all nodes know it.
         */
        VOTERS_IN_THE_END,
        /**
         * Within the bound, every node that contends on a path or watches it sees exactly its contenders, and who
         * leads.
         */
        VIEWS_AGREE
    }

    private final Rule rule;

    BrokenRule(Rule rule, String details) {
        super(rule + ": " + details);
        this.rule = rule;
    }

    /** Which rule was broken. */
    public Rule rule() {
        return rule;
    }
}
