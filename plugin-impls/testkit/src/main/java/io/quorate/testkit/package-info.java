/**
 * Tools for tests: a cluster of the nodes that run in production, in virtual time and on a network that the test
 * controls.
 *
 * <p><b>Authors of applications</b> write tests around {@link io.quorate.LeaderLatch} with {@link
 * io.quorate.testkit.SimulatedCluster}, its {@link io.quorate.testkit.ClusterSettings} and, under JUnit 5 or 6, {@link
 * io.quorate.testkit.SimulatedClusterExtension}; and with {@link io.quorate.testkit.FakeLeaderLatch}, which needs no
 * cluster. Except the extension, none of them needs a test framework.
 *
 * <p><b>Authors of algorithms</b> use {@link io.quorate.testkit.ElectionConformance}, and <b>authors of transports</b>
 * {@link io.quorate.testkit.TransportConformance}.
 */
@NullMarked
package io.quorate.testkit;

import org.jspecify.annotations.NullMarked;
