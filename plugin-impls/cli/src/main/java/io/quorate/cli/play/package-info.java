/**
 * {@code quorate lab --play}: a scenario on real JVMs. Document: docs/lab.md#on-real-jvms.
 *
 * <p>A {@code PlayPlan} says what of a scenario can be played, and how much slower. {@code Play} does it: each {@code
 * Child} is a JVM that runs a {@code PlayedNode}, and each {@code Proxy} forwards what one node sends to another one, until
 * a {@code Valve} is closed. {@code Sightings} has what the nodes say of themselves, and makes a recording of it.
 */
@NullMarked
package io.quorate.cli.play;

import org.jspecify.annotations.NullMarked;
