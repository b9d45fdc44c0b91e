/**
 * The transport over plain TCP: {@link io.quorate.tcp.TcpTransport}, with the JDK alone, for applications that do not
 * run Vert.x 5. Document: docs/transport.md#tcp.
 *
 * <p>One thread per node ({@code Loop}) accepts, connects, reads, writes and keeps the times. Names are resolved on
 * other threads.
 */
@NullMarked
package io.quorate.tcp;

import org.jspecify.annotations.NullMarked;
