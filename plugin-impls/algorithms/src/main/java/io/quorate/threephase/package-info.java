/**
 * Three-phase group election: a judge collects the priority lists of those it trusts, and the highest priority in the
 * newest list leads.
 *
 * <p><b>Source.</b> Li H., Zhao Z.-G., Wang G.-X., "Group leader election algorithm for agent groups based distributed
 * network management", source 002. Phase 1 (heartbeats) is the failure detector NFD-E of W. Chen, S. Toueg and M.
 * Aguilera, "On the quality of service of failure detectors", IEEE Transactions on Computers 51(5), 2002. Phase 2
 * (rounds, each with a judge that finds out who is alive) is a construction of M. Aguilera, C. Delporte-Gallet, H.
 * Fauconnier and S. Toueg, "Stable leader election", DISC 2001. Phase 3 (lists, and the choice) is the authors' own.
 *
 * <p><b>Provenance.</b> The source survives as a damaged copy. docs/algorithms/three-phase.md#faithful reconstructs its
 * lines 1 to 69 in words of its own, and states the guesses G1 to G18 that this needed; the code names both. Ours are
 * further G19 (marks count from 1), G20 (an OK or COLLECT counts only if it comes from the judge of its round) and G21
 * (the detector forgets heartbeats whose numbers are far behind).
 *
 * <p><b>Model.</b> Complete graph, one-way delays below delta from some time on, processes that crash, links that lose
 * messages. Brings its own detector: suspicions are ignored, so a process that reaches few others may be elected.
 *
 * <p><b>Guarantees.</b> Declared by {@link io.quorate.threephase.ThreePhaseAlgorithm#guarantees}. The faithful variant
 * agrees on a live leader if processes only crash and no message is late; one that is, or is lost, may block it for
 * good, and a partition leaves two leaders. The hardened one mends these: decisions have epochs, messages are repeated,
 * laggards and old leaders are told the decision. While a partition lasts each side has a leader (option Q: only the
 * majority's).
 *
 * <p><b>Messages per election</b> of n processes whose leader died: START (n-1)(n-2), OK 4(n-1), ACK 4(n-2), and n-2
 * each of COLLECT, REPORT and LEADER; (n-1)^2 START more per dead judge. Hardened: 6(n-1) OK, 5(n-2) ACK and 2(n-2)
 * LACK. In between n-1 heartbeats every 2 delta. Time: 2 delta each for rounds, lists and a dead judge (hardened: 4 for
 * all but the lists).
 *
 * <p><b>Choose it</b> if an application sets priorities and changes them while it runs, or if suspicions are not to be
 * relied on, in small groups. A better process that comes back does not take over before the next election.
 *
 * <p><b>Machines.</b> {@code FaithfulThreePhaseElection} has phases 1 and 3 as printed, {@code
 * HardenedThreePhaseElection} is what runs under the lease; {@code ThreePhaseElection} is phase 2, which both share.
 *
 * <p><b>Words.</b> agent, p - process number (0 up); ListPRI - {@code Priorities}, with its timestamp {@code Held};
 * judge.ListPRI (jl, jts) - {@code Collecting.best}; r, trust, t0 - {@code Round}; l, arrivals -
 * {@code FreshnessDetector}; T_hb, T_D - {@code Times.heartbeat}, {@code Times.detection}; MON, ELEC -
 * {@code MONITORING}, {@code ELECTING}; MESSAGE, LACK, HBACK - {@code Heartbeat}, {@code LeaderAck},
 * {@code HeartbeatAck}; ACK of line 61 - {@code AckReport}; seen - {@code Decision}; lts - {@code Priorities.Version}.
 */
@NullMarked
package io.quorate.threephase;

import org.jspecify.annotations.NullMarked;
