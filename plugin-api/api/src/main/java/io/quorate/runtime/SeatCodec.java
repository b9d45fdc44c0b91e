package io.quorate.runtime;

import io.quorate.core.voters.Seat;
import io.quorate.core.voters.Seat.Accepted;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The bytes that a data directory keeps of who votes. */
final class SeatCodec {

    private SeatCodec() {}

    static ByteBuffer write(Seat seat) {
        WireWriter out = new WireWriter();
        MessageParts.write(seat.config(), out);
        out.writeBoolean(seat.promised().isPresent());
        seat.promised().ifPresent(round -> MessageParts.write(round, out));
        out.writeBoolean(seat.accepted().isPresent());
        seat.accepted().ifPresent(accepted -> {
            MessageParts.write(accepted.round(), out);
            MessageParts.write(accepted.value(), out);
        });
        return ByteBuffer.wrap(out.toBytes()).asReadOnlyBuffer();
    }

    /** @throws MalformedInputException if it is not what {@link #write} makes */
    static Seat read(ByteBuffer bytes) throws MalformedInputException {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        WireReader in = new WireReader(copy);
        try {
            Seat seat = new Seat(
                    MessageParts.readConfig(in),
                    in.readBoolean() ? Optional.of(MessageParts.readRound(in)) : Optional.empty(),
                    in.readBoolean()
                            ? Optional.of(new Accepted(MessageParts.readRound(in), MessageParts.readConfig(in)))
                            : Optional.empty());
            in.expectEnd();
            return seat;
        } catch (IllegalArgumentException e) {
            throw new MalformedInputException("what it says of the voters is wrong: " + e.getMessage());
        }
    }
}
