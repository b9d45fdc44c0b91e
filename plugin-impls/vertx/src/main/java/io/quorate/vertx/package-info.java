/**
 * The transport over the event bus of Eclipse Vert.x: {@link io.quorate.vertx.VertxTransport}, on a Vertx of its own
 * (with {@link io.quorate.vertx.StaticClusterManager}: a fixed list of addresses) or on the application's clustered
 * one. The only package that imports {@code io.vertx}.
 *
 * <p><b>Logging.</b> This package logs one line per peer when it is not there yet (INFO), and at most one per minute
 * when it cannot be reached any more (WARN), under {@code io.quorate.vertx.VertxTransport}; that a peer answers is
 * known by the node, which says so. Vert.x itself logs each failed attempt of the event bus to connect, with a stack
 * trace, and no option of Vert.x turns that off. On a Vertx of its own the transport prevents such attempts: the
 * cluster manager, which the bus asks for an address before each connection, answers only when somebody listens there.
 * On the application's Vertx, where it does not know the peers' addresses, there is up to one attempt per second and
 * peer that is away. Who does not want to see these lines turns the loggers off:
 * <ul>
 * <li>{@code io.vertx.core.eventbus.impl.clustered.ClusteredEventBus}: "Connecting to server ... failed"
 * <li>{@code io.vertx.core.eventbus.impl.clustered.OutboundConnection}: "No pong from server ..."
 * <li>{@code io.vertx.core.net.impl.ConnectionBase}: "Connection reset" in one line, when a peer is killed; a peer
 *     refused our certificate
 * <li>{@code io.vertx.core.impl.VertxImpl}: "Failed to initialize clustered Vert.x"; the same failure is thrown to
 *     whoever started the transport
 * </ul>
 * Vert.x 5.1 throws "Promise already completed" into a context's exception handler for each write that fails on a
 * broken connection. The handler of the transport's own context passes it on at DEBUG level only; on an application's
 * Vertx, connections that the application opened first have the application's context, and then
 * {@code io.vertx.core.impl.ContextImpl} logs it as an error.
 *
 * <p><b>On the application's own Vertx</b> set the EventBusOptions on all nodes to clusterPingInterval 1 s,
 * clusterPingReplyInterval 2 s, readIdleTimeout 3.5 s, connectTimeout 1 s, reconnectAttempts 0. With Vert.x's defaults
 * a peer that is stopped or cut off keeps its connection for minutes, and is found again only up to half a minute after
 * it is back.
 */
package io.quorate.vertx;
