/**
 * What the two elections on a ring share, {@link io.quorate.lcr} and {@link io.quorate.tokenring}: the search of the
 * successor, when a process initiates, and the hardening rules of docs/algorithms/common.md#hardening-rules as a ring
 * keeps them. What travels round the ring, and who wins, is their own.
 */
package io.quorate.ring;
