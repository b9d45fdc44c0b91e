/**
 * The seam between clients and the engine that runs them: what an engine is asked, what it tells, and the values that
 * cross. It is no promise, so only the engine and the kit see it.
 */
package io.quorate.engine;
