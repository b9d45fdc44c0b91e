package io.quorate.lcr;

import io.quorate.ring.Attempt;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;

/** The two messages of the document. The faithful variant fills in the identifier and leaves the rest at 0. */
sealed interface LcrMessage extends Message {

    /** Larger process numbers and hop counts are refused on input. */
    int PROCESS_MAX = 1 << 16;

    /** The process that the message speaks for; the receiver checks that it is one. */
    int id();

    long highestTerm();

    /**
     * "I stand for election", (id, False) in source 003; stopped by every process with a higher identifier.
     *
     * @param id      who stands
     * @param attempt its attempt
     * @param maxTerm the highest term that the last sender has seen
     * @param hops    how many links the message has passed, with the one it is on
     */
    record Probe(int id, Attempt attempt, long maxTerm, int hops) implements LcrMessage {
        private static final int KIND = 1;

        /** In F. */
        Probe(int id) {
            this(id, Attempt.NONE, 0, 0);
        }

        @Override
        public long highestTerm() {
            return maxTerm;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(id);
            attempt.writeTo(out);
            out.writeUnsigned(maxTerm);
            out.writeUnsigned(hops);
        }
    }

    /**
     * "The leader is elected", (id, True) in source 003; goes round the ring once.
     *
     * @param id      who leads
     * @param term    the term of its victory
     * @param maxTerm the highest term that the last sender has seen
     * @param hops    how many links the message has passed, with the one it is on
     */
    record Selected(int id, long term, long maxTerm, int hops) implements LcrMessage {
        private static final int KIND = 2;

        /** In F. */
        Selected(int id) {
            this(id, 0, 0, 0);
        }

        @Override
        public long highestTerm() {
            return Math.max(term, maxTerm);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(id);
            out.writeUnsigned(term);
            out.writeUnsigned(maxTerm);
            out.writeUnsigned(hops);
        }
    }

    /** Reads one message, which must fill the input. */
    static LcrMessage read(WireReader in) throws MalformedInputException {
        int kind = in.readByte();
        int id = in.readUnsigned(PROCESS_MAX);
        LcrMessage message =
                switch (kind) {
                    case Probe.KIND -> new Probe(id, Attempt.read(in), in.readUnsigned(), readHops(in));
                    case Selected.KIND -> new Selected(id, in.readUnsigned(), in.readUnsigned(), readHops(in));
                    default ->
                        throw new MalformedInputException("kind " + kind + ": is no message of the LCR election");
                };
        in.expectEnd();
        return message;
    }

    private static int readHops(WireReader in) throws MalformedInputException {
        return in.readUnsigned(PROCESS_MAX);
    }
}
