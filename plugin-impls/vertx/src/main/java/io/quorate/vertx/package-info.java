/**
 * The transport over the event bus of Eclipse Vert.x: {@link io.quorate.vertx.VertxTransport}, on a Vertx of its own
 * (with {@link io.quorate.vertx.StaticClusterManager}: a fixed list of addresses) or on the application's clustered
 * one. The only package that imports {@code io.vertx} and {@code io.netty}.
 *
 * <p>{@link io.quorate.vertx.SingletonVerticle} has nothing to do with that: it deploys a verticle on one node of the
 * cluster, over any transport. Its {@code SingletonContender} has the latch. Document: docs/vertx.md.
 *
 * <p><b>Logging.</b> This package logs one line per peer that is not there yet (INFO), one more when it was not there
 * for a minute (WARN), and one line per minute at most for a peer that it cannot reach any more (WARN), under {@code
 * io.quorate.vertx.VertxTransport}. The node itself says when a peer answers. It logs connections that it has closed,
 * one line per minute for each direction, and keys that are wrong or end soon (WARN). Vert.x logs each failed attempt
 * of the event bus to connect, with a stack trace, and no option of Vert.x turns that off. On a Vertx of its own the
 * transport prevents such attempts: the bus asks the cluster manager for an address before each connection, and the
 * manager answers only when somebody listens there. On the application's Vertx the transport does not know the
 * addresses of the peers, so there is up to one attempt per second and peer that is away. To get rid of these lines,
 * turn the loggers off:
 * <ul>
 * <li>{@code io.vertx.core.eventbus.impl.clustered.ClusteredEventBus}: "Connecting to server ... failed"
 * <li>{@code io.vertx.core.eventbus.impl.clustered.OutboundConnection}: "No pong from server ..."
 * <li>{@code io.vertx.core.net.impl.ConnectionBase}: "Connection reset" in one line, when a peer is killed or has
 *     refused our certificate
 * <li>{@code io.vertx.core.impl.VertxImpl}: "Failed to initialize clustered Vert.x"; the start of the transport throws
 *     the same failure
 * </ul>
 * Vert.x 5.1 throws "Promise already completed" into a context's exception handler for each write that fails on a
 * broken connection. The handler of the transport's own context logs it at DEBUG level only. On an application's Vertx,
 * connections that the application opened first have the application's context, and then
 * {@code io.vertx.core.impl.ContextImpl} logs it as an error.
 *
 * <p><b>On the application's own Vertx</b> set the EventBusOptions on all nodes to clusterPingInterval 1 s,
 * clusterPingReplyInterval 2 s, readIdleTimeout 3.5 s, connectTimeout 1 s, reconnectAttempts 0. With Vert.x's defaults
 * a peer that is stopped or cut off keeps its connection for minutes, and it may take half a minute to find the peer
 * again when it is back.
 */
@NullMarked
package io.quorate.vertx;

import org.jspecify.annotations.NullMarked;
