package io.quorate.badimpls.vertx;

/** Knows the transport. */
public record SingletonOfTransport(BadTransport transport) {}
