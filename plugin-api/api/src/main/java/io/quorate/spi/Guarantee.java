package io.quorate.spi;

/** What an algorithm promises by itself, without the quorum lease. The conformance kit checks what is declared. */
public enum Guarantee {
    /** Once faults have stopped and suspicions are right, all processes name one leader, which is alive. */
    EVENTUAL_AGREEMENT,
    /** The leader after settling is the live process with the highest number. */
    HIGHEST_LEADS,
    /** At one process and in one life, the marks of successive nominations do not decrease. */
    MONOTONIC_MARKS,
    /** No lost message, restart or healed partition prevents later agreement. */
    SELF_HEALING,
    /** Never two leaders at the same time, provided that nobody is suspected wrongly and nobody restarts. */
    ONE_LEADER_IF_FAIL_STOP,
    /** Needs no failure detector: suspicions are ignored. */
    NEEDS_NO_DETECTOR
}
