/**
 * The token ring: a list of the live processes is collected round the ring, and its highest member leads.
 *
 * <p><b>Source.</b> The "Ring Algorithm" of source 004, which is that of A. S. Tanenbaum, "Modern Operating Systems"
 * and "Distributed Systems" (section on election algorithms). docs/algorithms/token-ring.md states how its gaps were
 * filled and where it fails.
 *
 * <p><b>Model.</b> A logical ring that everybody knows, reliable links, crashes that can be detected, any number of
 * processes that start an election at the same time. A process whose successor is down sends to the one behind it.
 *
 * <p><b>Guarantees.</b> Declared by {@link io.quorate.tokenring.TokenRingAlgorithm#guarantees}. In the faithful variant
 * a process that dies while the list goes round may be elected, the message of a dead starter circulates for ever, and
 * a list that dies with a process other than the leader is never sent again. The hardened one leaves suspected
 * processes out of the list, ends a message at its second visit, retries after 2N delta, numbers its attempts, and
 * repeats the result with a term every N delta. While a partition lasts each side has a leader (option Q: only the
 * majority's).
 *
 * <p><b>Deviation 1</b> of the hardened variant. A process that objects to a COORDINATOR (it suspects the leader, or is
 * above it, or not in the ring, or leads with a higher term) does not initiate at once. It takes part, and initiates
 * when TR runs out unless an election ends before: at most one election in 2N+1 delta and process. Otherwise two
 * processes of which one wrongly suspects the other would make each other initiate at the speed of messages, as long as
 * the suspicion lasts. It costs nothing where the leader has failed, because its followers suspect it themselves.
 *
 * <p><b>Messages per election</b> with m processes alive: 2m if one of them initiates, 2m*m if all do. Each process
 * talks to one other only; a message is as long as the list. Hardened: at most N more every N delta for the repetition.
 * Time: 2m delta.
 *
 * <p><b>Choose it</b> if the number of messages must be known in advance and every process must know who took part in
 * the election, in a small group with good links. Everybody has to answer before there is a leader, so it is slower
 * than the bully algorithm and depends on every single link.
 *
 * <p><b>Machines.</b> {@code FaithfulTokenRingElection} is the document message by message,
 * {@code HardenedTokenRingElection} what runs under the lease. When a process initiates, and what else LCR does alike,
 * stands in {@code io.quorate.ring}.
 *
 * <p><b>Words.</b> process number (0 up) - the document's identifier (0 up in source 004, 1 up in the traces);
 * ELECTION, COORDINATOR - the records of {@code TokenRingMessage}; ids, the token - the list; starter - closer; seen,
 * (term, leader, closer) - {@code Victory}; part - {@code participating}; initiate, initiate anew - {@code initiate},
 * {@code initiateAnew}; attempt - {@code Attempt}; S - {@code suspects}; no leader - {@code NOBODY}; mark -
 * {@code (term, leader)}.
 */
@NullMarked
package io.quorate.tokenring;

import org.jspecify.annotations.NullMarked;
