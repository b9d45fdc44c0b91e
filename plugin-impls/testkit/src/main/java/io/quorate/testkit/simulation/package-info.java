/**
 * The simulator: nodes in virtual time on a network under control, storms of faults, what judges them, and what shrinks
 * a storm that breaks a rule. Cores run alone ({@link io.quorate.testkit.simulation.NodeHost}), under the production
 * driver ({@link io.quorate.testkit.simulation.DriverHost}) or without a lease
 * ({@link io.quorate.testkit.simulation.UnleasedHost}).
 */
package io.quorate.testkit.simulation;
