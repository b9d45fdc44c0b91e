package io.quorate.algorithms;

import io.quorate.spi.Message;
import io.quorate.spi.WireWriter;

/** A message of no algorithm of this module. */
public record Foreign() implements Message {
    @Override
    public void writeTo(WireWriter out) {
        out.writeByte(0);
    }
}
