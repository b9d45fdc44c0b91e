/** The transport over the event bus of Vert.x, and a verticle on one node of the cluster. */
module io.quorate.vertx {
    requires transitive io.quorate;
    requires transitive io.vertx.core;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.quorate.vertx;

    provides io.quorate.spi.TransportProvider with
            io.quorate.vertx.VertxTransportProvider;
}
