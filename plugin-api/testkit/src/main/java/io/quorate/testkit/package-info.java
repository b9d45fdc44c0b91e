/**
 * What is tested with: a cluster of the very nodes that run in production, in virtual time and on a network under the
 * test's control.
 *
 * <p><b>For authors of applications</b>, who write tests around {@link io.quorate.LeaderLatch}:
 * {@link io.quorate.testkit.SimulatedCluster}, with {@link io.quorate.testkit.ClusterSettings} and, for JUnit 5 and 6,
 * {@link io.quorate.testkit.SimulatedClusterExtension}; and {@link io.quorate.testkit.FakeLeaderLatch}, which needs no
 * cluster. They use nothing of a test framework, but for the extension.
 *
 * <p><b>For authors of algorithms</b>: {@link io.quorate.testkit.ElectionConformance}.
 */
package io.quorate.testkit;
