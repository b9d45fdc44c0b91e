package io.quorate.spi;

/** A promise of an algorithm by itself, without the quorum lease. The conformance kit checks declared ones. */
public enum Guarantee {
    /** Once faults have stopped and suspicions are right, all processes name one leader, which is alive. */
    EVENTUAL_AGREEMENT,
    /** Once that is so, the leader is the live process with the highest number. */
    HIGHEST_LEADS,
    /** At one process and in one life, the marks of successive nominations do not decrease. */
    MONOTONIC_MARKS,
    /** Neither a lost message nor a restart nor a healed partition prevents later agreement. */
    SELF_HEALING,
    /** There are never two leaders at one time, provided that nobody is suspected wrongly and nobody restarts. */
    ONE_LEADER_IF_FAIL_STOP,
    /** The algorithm needs no failure detector: a suspicion has no effect and does not change its state. */
    NEEDS_NO_DETECTOR
}
