/**
 * The LCR ring: identifiers travel round a ring, every process stops the lower ones, and a process that gets its own
 * back leads. Named after Le Lann, Chang and Roberts.
 *
 * <p><b>Source.</b> G. Le Lann, "Distributed systems - towards a formal approach", IFIP Congress 1977; E. Chang and
 * R. Roberts, "An improved algorithm for decentralized extrema-finding in circular configurations of processes",
 * Communications of the ACM 22(5), 1979; written after source 001 (section 4, with a TLA+ model that its author
 * reports not to work) and source 003 (a Harmony program with its assertions and two exercises).
 * docs/algorithms/lcr.md merges the two and lists what is wrong with them.
 *
 * <p><b>Model.</b> A directed ring; each process knows its identifier and its successor, identifiers are unique, links
 * are reliable and keep the order of messages. Source 003 knows no failures; source 001 is fail-stop with everybody
 * knowing who is dead. Here the successor is the next process in the ring that is not suspected.
 *
 * <p><b>Guarantees.</b> Declared by {@link io.quorate.lcr.LcrAlgorithm#guarantees}. The faithful variant elects the
 * highest if nothing fails. A crash at the wrong moment loses the only PROBE, or leaves one that circulates for ever,
 * and a healed partition wakes nobody. The hardened one bounds the hops of a message, drops those of suspected
 * processes, retries after 3N delta, numbers its attempts, and repeats the victory with a term every N delta. While a
 * partition lasts each side has a leader (option Q: only the majority's).
 *
 * <p><b>Messages per election</b> of N processes that all initiate: 2N-1 PROBEs at best (identifiers ascend along the
 * ring), N(N+1)/2 at worst (they descend), about N ln N on average, and N SELECTEDs; each process talks to one other
 * only. Hardened: at most N more every N delta for the repetition. Time: 2N delta usually, 3N at most without a loss.
 *
 * <p><b>Choose it</b> for few messages per process in a small group with good links. Time grows with the number of
 * processes, and a lossy link hurts more than elsewhere because every message needs all links.
 *
 * <p><b>Machines.</b> {@code FaithfulLcrElection} is the document message by message, {@code HardenedLcrElection} what
 * runs under the lease. When a process initiates, and what else the token ring does alike, stands in
 * {@code io.quorate.ring}.
 *
 * <p><b>Words.</b> process number (0 up) - the document's identifier (1 up); PROBE, (id, False) and SELECTED,
 * (id, True) - the records of {@code LcrMessage}; Participating - {@code participating}; Neighbour, succ, next() -
 * {@code sendNext}; initiate, initiate anew - {@code initiate}, {@code initiateAnew}; repeat the victory -
 * {@code announce}; attempt - {@code Attempt}; term and seen - {@code Terms}; S - {@code suspects}; no leader -
 * {@code NOBODY}; mark - {@code (term, leader)}.
 */
@NullMarked
package io.quorate.lcr;

import org.jspecify.annotations.NullMarked;
