/**
 * Gossip ballot leader election: the process with the greatest ballot that a majority hears leads.
 *
 * <p><b>Source.</b> The "Gossip Leader Election" of source 000 (pseudo-code, lines 1 to 37), known as Ballot Leader
 * Election from the course on distributed algorithms of KTH and its Kompics implementation.
 * docs/algorithms/ballot.md states how its ambiguities were settled.
 *
 * <p><b>Model.</b> Complete graph, perfect links, crash-stop, partial synchrony (rounds grow), N known, a majority
 * correct. No failure detector: suspicions are ignored. Rounds of heartbeats go on for ever.
 *
 * <p><b>Guarantees.</b> Declared by {@link io.quorate.ballot.BallotAlgorithm#guarantees}. The faithful variant can
 * elect two leaders if N is even, stay with a dead one in a minority, and raise ballots for ever if rounds differ much
 * in length. The hardened one (H1 to H9) mends these and copes with loss, restarts, partitions and single cut links.
 * One case is left: two processes that cannot hear each other depose each other for ever if the process between them
 * has rounds that last more than twice as long as theirs. Under the lease that stops with the first tenure.
 *
 * <p><b>Messages</b>: 2N(N-1) per round of 3 delta, (N-1)(2N-3) with one process dead; 2N(N-1) until the first
 * indication after a cold start as well. Fail-over: 2 to 5 rounds (faithful), 3 to 6 (hardened).
 *
 * <p><b>Choose it</b> if links may break one by one or suspicions are unreliable, and if a good leader should stay: it
 * does not prefer the highest process, and a process that comes back does not take over.
 *
 * <p><b>Machines.</b> {@code FaithfulBallotElection} is the document line by line, {@code HardenedBallotElection} what
 * runs under the lease; {@code BallotElection} is what both share.
 *
 * <p><b>Words.</b> process number (0 up) - pid (1 up); ballot (n, pid) - {@link io.quorate.spi.Mark} with term n; no
 * leader - {@link io.quorate.spi.Mark#NONE}; HEARTBEATREQUEST, HEARTBEATREPLY - {@code Request}, {@code Reply};
 * Delta - {@code initialDelay}; bmaxR - {@code bmaxOfRound}; qc - {@code heardQuorum}; LEADER - nominate. Witnesses
 * (voters that do not contend) answer requests; they count for the quorum and are no candidates.
 */
@NullMarked
package io.quorate.ballot;

import org.jspecify.annotations.NullMarked;
