/**
 * Guards of what a leader writes to: each remembers the highest fencing token that it has seen, and refuses a lower one
 * with a {@link io.quorate.fencing.StaleTokenException}. Document: docs/fencing.md.
 *
 * <p>{@link io.quorate.fencing.FencedTable} guards a database, {@link io.quorate.fencing.FencingFilter} a server that
 * {@link io.quorate.fencing.FencedHttp} sends to, and {@link io.quorate.fencing.FencedFile} a file. A token that was
 * seen before is accepted again: one leader writes many times.
 */
@NullMarked
package io.quorate.fencing;

import org.jspecify.annotations.NullMarked;
