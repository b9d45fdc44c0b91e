/**
 * The bully algorithm: the highest live process takes the lead.
 *
 * <p><b>Source.</b> H. Garcia-Molina, "Elections in a distributed computing system", IEEE Transactions on Computers
 * C-31(1), 1982; written after its descriptions in source 001 (sections 2.3 and 3, rules 1 to 5, TLA+ model) and
 * source 004. docs/algorithms/bully.md merges the two and states where they differ.
 *
 * <p><b>Model.</b> Complete graph, reliable links, all processes known, an eventually accurate failure detector,
 * one-way delays below delta. The document assumes fail-stop and yet lets recovering processes start an election.
 *
 * <p><b>Guarantees.</b> Declared by {@link io.quorate.bully.BullyAlgorithm#guarantees}. The faithful variant keeps one
 * leader only as long as nobody restarts and nobody is suspected wrongly. The hardened one survives lost messages,
 * restarts and partitions: a victory carries a term and is repeated every 2 delta, and the state is rechecked after
 * every event. While a partition lasts each side has a leader (option Q: only the majority's).
 *
 * <p><b>Messages per election</b> of N processes: N at best (the second highest notices), N(N-1) at worst (the lowest
 * notices, or all do), 2N(N-1) when all start at once (faithful); N-1 when the highest comes back. Hardened: N-1 more
 * every 2 delta for the repetition. Time: T (2.5 delta) usually, T2 + T + 2 delta if the candidate dies.
 *
 * <p><b>Choose it</b> if the best process should lead whenever it is alive, in small groups with good links. It causes
 * a change of leader whenever a better process comes back.
 *
 * <p><b>Machines.</b> {@code FaithfulBullyElection} is the document rule by rule, {@code HardenedBullyElection} what
 * runs under the lease; {@code BullyElection} is what both share.
 *
 * <p><b>Words.</b> process number (0 up) - the document's identifier (1 up); ELECTION, ALIVE (OK), VICTORY
 * (COORDINATOR) - the records of {@code BullyMessage}; phase other than {@code IDLE} - Participating; T, T2 (T'), HB -
 * the timers of those names; S - {@code suspects}; no leader - {@code NOBODY}; term and seen - {@code Terms};
 * mark - {@code (term, leader)}.
 */
@NullMarked
package io.quorate.bully;

import org.jspecify.annotations.NullMarked;
