/**
 * Faults on real processes and real links. A {@link io.quorate.nemesis.Network} of proxies lies between the nodes of a
 * {@link io.quorate.demo.Cluster}; {@link io.quorate.nemesis.Faults} draws what happens to both, and
 * {@link io.quorate.nemesis.Rounds} lets it happen, mends it, and judges.
 *
 * <p>One seed decides which faults, on whom and for how long. It does not decide what the machine makes of them: a run
 * that failed may pass when it is repeated.
 */
package io.quorate.nemesis;
