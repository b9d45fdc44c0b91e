/**
 * What the two elections on a ring share, {@link io.quorate.lcr} and {@link io.quorate.tokenring}: the search of the
 * successor, when a process initiates, and the hardening rules of docs/algorithms/common.md#hardening-rules as a ring
 * keeps them. Each algorithm defines its message and its winner itself.
 */
package io.quorate.ring;
