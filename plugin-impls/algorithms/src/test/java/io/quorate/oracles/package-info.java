/**
 * Independent readings of the sources, which share nothing with the machines. An {@link io.quorate.oracles.Oracle} is
 * written from the text of a source alone. A {@link io.quorate.oracles.Comparison} gives a machine of the faithful
 * variant and its oracle the same events of a random schedule, and compares what both do after each of them.
 */
package io.quorate.oracles;
