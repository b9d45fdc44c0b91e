package io.quorate.runtime;

import io.quorate.core.voters.PaxosState;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.nio.ByteBuffer;

/** The bytes that a data directory keeps of who votes. */
public final class PaxosStateCodec {

    private PaxosStateCodec() {}

    /** Writes the state; the bytes are read-only. */
    public static ByteBuffer write(PaxosState paxos) {
        WireWriter out = new WireWriter();
        paxos.writeTo(out);
        return ByteBuffer.wrap(out.toBytes()).asReadOnlyBuffer();
    }

    /**
     * Reads what {@link #write} has made.
     *
     * @throws MalformedInputException if it is something else
     */
    public static PaxosState read(ByteBuffer bytes) throws MalformedInputException {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        WireReader in = new WireReader(copy);
        try {
            PaxosState paxos = PaxosState.read(in);
            in.expectEnd();
            return paxos;
        } catch (IllegalArgumentException e) {
            throw new MalformedInputException("its list of voters is wrong: " + e.getMessage());
        }
    }
}
