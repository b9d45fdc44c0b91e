/**
 * Leader election among the processes of an application, with the classes and the contract of Curator's LeaderLatch and
 * without a coordination service beside the application.
 *
 * <p>Start with {@link io.quorate.LeaderLatch}; {@link io.quorate.ElectionClient} stands where {@code CuratorFramework}
 * stood. In this package null has the meaning that it has in Curator, and so has the {@link io.quorate.Participant}
 * with an empty id that stands for nobody.
 *
 * <p>An application can notice these differences from Curator, all of them on purpose:
 * <ul>
 * <li>{@link io.quorate.LeaderLatch#hasLeadership} is computed from a deadline at the moment of the call. It becomes
 *     false without a message, event or thread.
 * <li>Callbacks run on daemon threads of this library, one at a time per latch. They never run under a lock or on the
 *     thread that gains or loses the leadership. A blocked callback delays only its own latch. It holds up {@code
 *     await} and a {@code close} that notifies for 30 s at most, and a silent {@code close} not at all.
 * <li>Listeners are called in the order in which they were added. A null executor is refused at once. If an executor
 *     rejects a callback, only that callback is lost.
 * <li>{@link io.quorate.ElectionClient#close} closes the latches of the client.
 * <li>Leadership survives SUSPENDED by default ({@link io.quorate.SessionConnectionStateErrorPolicy}), because the
 *     lease is exact.
 * <li>A latch queues again when its {@code notLeader} callbacks have returned.
 * <li>{@link io.quorate.LeaderLatch#getLastPathIsLeader} ends in 19 digits, which are the fencing token.
 * <li>A {@link io.quorate.ConnectionLossException} takes the place of {@code KeeperException.ConnectionLossException}.
 * </ul>
 */
@NullMarked
package io.quorate;

import org.jspecify.annotations.NullMarked;
