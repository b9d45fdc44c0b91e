package io.quorate.runtime;

import io.quorate.spi.WireReader;

/** The verdict of an {@link Entrance} on a frame: {@link Passed}, or {@link DecodedFrame.Dropped}. */
sealed interface Checked permits Checked.Passed, DecodedFrame.Dropped {

    /**
     * A frame of somebody who may speak, for this node. Whether it is new, only its link knows.
     *
     * @param frame      the whole frame, as it was given; the body lies in it
     * @param bodyOffset where the body begins
     * @param bodyLength how long it is
     */
    record Passed(Envelope envelope, byte[] frame, int bodyOffset, int bodyLength) implements Checked {

        /** Reads the body from its beginning. */
        WireReader body() {
            return new WireReader(frame, bodyOffset, bodyLength);
        }
    }
}
