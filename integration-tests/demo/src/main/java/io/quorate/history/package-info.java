/**
 * The history of a run of real processes, and whether it could have happened with one leader at a time. Each process
 * writes its {@link io.quorate.history.HistoryEvent}s to a {@link io.quorate.history.HistoryFile} of its own;
 * {@link io.quorate.history.HistoryCheck} judges all of them together.
 *
 * <p>All times are {@link System#nanoTime()}. On Linux that is CLOCK_MONOTONIC, one clock for all processes of a
 * machine: so times of different processes can be compared, and nothing here is for processes of several machines.
 */
package io.quorate.history;
