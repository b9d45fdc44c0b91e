/**
 * What the machines of all algorithms share: how events become calls and calls become effects. No rule of an election
 * stands here, apart from the places of K1 and K7 of docs/algorithms/common.md#hardening-rules.
 */
package io.quorate.machine;
