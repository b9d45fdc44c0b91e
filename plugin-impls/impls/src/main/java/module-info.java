/** The default set: all algorithms, and the transport over the event bus of Vert.x. */
module io.quorate.impls {
    requires transitive io.quorate.algorithms;
    requires transitive io.quorate.vertx;
}
