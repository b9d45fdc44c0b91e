package io.quorate.bully;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;

/** The three messages of the document. The faithful variant leaves {@code term} at 0. */
sealed interface BullyMessage extends Message {

    /** The highest term that the sender has seen, or the term of its victory. */
    long term();

    /** "Who is there above me?", to all higher processes. */
    record Election(long term) implements BullyMessage {
        private static final int KIND = 1;

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(term);
        }
    }

    /** The answer of a higher process: "I take over". Called OK in source 004. */
    record Alive(long term) implements BullyMessage {
        private static final int KIND = 2;

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(term);
        }
    }

    /** "I am the leader." Called COORDINATOR in source 004. */
    record Victory(long term) implements BullyMessage {
        private static final int KIND = 3;

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(term);
        }
    }

    /** Reads one message, which must fill the input. */
    static BullyMessage read(WireReader in) throws MalformedInputException {
        int kind = in.readByte();
        long term = in.readUnsigned();
        in.expectEnd();
        return switch (kind) {
            case Election.KIND -> new Election(term);
            case Alive.KIND -> new Alive(term);
            case Victory.KIND -> new Victory(term);
            default -> throw new MalformedInputException("kind " + kind + ": is no message of the bully algorithm");
        };
    }
}
