/**
 * A lock provider for ShedLock. Document: docs/shedlock.md.
 *
 * <p>{@link io.quorate.shedlock.QuorateLockProvider} keeps a {@code NamedPath} for each name of a lock: the latch of
 * the path, and the {@link io.quorate.shedlock.QuorateLock} that holds it here.
 */
@NullMarked
package io.quorate.shedlock;

import org.jspecify.annotations.NullMarked;
