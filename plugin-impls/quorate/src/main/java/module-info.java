/** Brings an application the engine, all algorithms, and the transport over plain TCP. */
module io.quorate.all {
    requires transitive io.quorate.algorithms;
    // No code names it. An image of jlink has it nevertheless.
    requires io.quorate.core;
    requires transitive io.quorate.tcp;
}
