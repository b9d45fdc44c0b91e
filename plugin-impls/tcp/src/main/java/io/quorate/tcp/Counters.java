package io.quorate.tcp;

import java.util.concurrent.atomic.LongAdder;

/** Counts of a transport's dropped frames and rejected connections. Any thread. */
final class Counters {

    /** Frames that were not given to the network. */
    final LongAdder sendsDropped = new LongAdder();
    /** Input in no known form, and frames at which the receiver threw. */
    final LongAdder inputsDropped = new LongAdder();
    /** At the port, or by their first frame. */
    final LongAdder connectionsRefused = new LongAdder();
}
