/**
 * The transports of this repository have this in common: which connections they let in, the keys that they look at
 * again, and the problems that they tell. For the artifacts of this repository alone; it is no promise, and a transport
 * of others needs nothing of it.
 */
@NullMarked
package io.quorate.transport;

import org.jspecify.annotations.NullMarked;
