/**
 * One step of a node: what goes in ({@link io.quorate.core.step.NodeEvent}), what comes out
 * ({@link io.quorate.core.step.NodeEffect}, with the {@link io.quorate.engine.Tenure} that the application gets),
 * and what the parts of a node share during it: the time, the timers, the agenda.
 */
package io.quorate.core.step;
