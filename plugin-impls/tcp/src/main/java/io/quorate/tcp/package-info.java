/**
 * The transport over plain TCP: {@link io.quorate.tcp.TcpTransport}, with the JDK alone, for applications that do not
 * run Vert.x 5. Document: docs/transport.md#tcp.
 *
 * <p>One thread per node ({@code Loop}) accepts, connects, reads, writes and keeps the times. Names are resolved on
 * other threads, and the work of TLS handshakes is done there. The parts of the loop: {@code Acceptor} lets connections
 * in, {@code Dialling} makes them, {@code Greeting} judges a HELLO, {@code Traffic} reads and writes frames, {@code
 * Peers} knows the other nodes, {@code Reports} writes the log.
 */
@NullMarked
package io.quorate.tcp;

import org.jspecify.annotations.NullMarked;
