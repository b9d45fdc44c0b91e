/** Brings an application on Vert.x the engine, all algorithms, and the transport over the event bus. */
module io.quorate.impls {
    requires transitive io.quorate.algorithms;
    // No code names it. An image of jlink has it nevertheless.
    requires io.quorate.core;
    requires transitive io.quorate.vertx;
}
