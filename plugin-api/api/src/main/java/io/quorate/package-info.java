/**
 * Leader election among the processes of an application, with the classes and the contract of Curator's LeaderLatch and
 * no coordination service beside the application.
 *
 * <p>Start with {@link io.quorate.LeaderLatch}; {@link io.quorate.ElectionClient} stands where {@code CuratorFramework}
 * stood. In this package null and the dummy {@link io.quorate.Participant} have the meaning that they have in Curator.
 *
 * <p>Differences from Curator that an application can notice, each by intention:
 * <ul>
 * <li>{@link io.quorate.LeaderLatch#hasLeadership} is computed from a deadline at the moment of the call; no message,
 *     event or thread is needed for it to become false.
 * <li>Callbacks run on daemon threads of this library, one at a time per latch, never on the thread that gains or loses
 *     the leadership and never under a lock. A blocked callback delays only its own latch, and holds up {@code await}
 *     and a notifying {@code close} for 30 s at most; a silent {@code close} does not wait for it.
 * <li>Listeners are called in the order in which they were added. A null executor is refused at once, and one that
 *     rejects costs nothing but the rejected call.
 * <li>{@link io.quorate.ElectionClient#close} closes the latches of the client.
 * <li>Leadership survives SUSPENDED by default ({@link io.quorate.SessionConnectionStateErrorPolicy}), because the
 *     lease is exact.
 * <li>A latch re-enters the queue after its {@code notLeader} callbacks have returned.
 * <li>{@link io.quorate.LeaderLatch#getLastPathIsLeader} ends in 19 digits, which are the fencing token.
 * <li>What Curator reports as {@code KeeperException.ConnectionLossException} is a
 *     {@link io.quorate.ConnectionLossException}.
 * </ul>
 */
package io.quorate;
