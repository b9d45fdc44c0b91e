package io.quorate.tcp;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.Proof;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** The frames of a connection: {@code u32 length, u8 type, body}. docs/transport.md#wire-format has the table. */
final class Wire {

    /** The versions that this class speaks. */
    static final int VERSION_MIN = 2;

    static final int VERSION_MAX = 2;

    /** The first frame of who has dialled. */
    static final int HELLO = 1;
    /** The last word of who was dialled, before frames. */
    static final int WELCOME = 2;
    /** A frame that {@link Transport#send} was given. */
    static final int DATA = 3;
    /** Asks for a sign of life. */
    static final int PING = 4;

    static final int PONG = 5;
    /** The sender closes the connection, and not by mistake. */
    static final int BYE = 6;
    /** Under a secret the answer to HELLO: it shows that who was dialled knows the secret. */
    static final int CHALLENGE = 7;
    /** The answer to that: it shows that who has dialled knows the secret. */
    static final int PROOF = 8;
    /**
     * The body of a BYE that ends the connection alone: the sender lives, and opens another one when it needs it. Any
     * other body that is not empty means the same.
     */
    static final byte[] BYE_FOR_NOW = {1};

    /** The bytes of length and type. */
    static final int HEAD = 5;
    /** The longest frame: its type, and what a transport must carry. */
    static final int LENGTH_MAX = 1 + Transport.FRAME_LENGTH_MAX;
    /** The longest body of HELLO and WELCOME. */
    static final int GREETING_MAX = 512;
    /** The longest frame before admission. */
    static final int GREETING_LENGTH_MAX = 1 + GREETING_MAX;

    static final int CLUSTER_LENGTH_MAX = 64;
    /** The longest name that DNS has. */
    static final int HOST_LENGTH_MAX = 253;

    private static final int TEXT_LENGTH_MAX = 128;
    /** "QUOR". */
    private static final byte[] MAGIC = {0x51, 0x55, 0x4f, 0x52};

    private Wire() {}

    /** Puts one frame into {@code out}, which has room for it. */
    static void put(ByteBuffer out, int type, byte[] body) {
        out.putInt(1 + body.length).put((byte) type).put(body);
    }

    /** The life with which a greeting ends; 0 if it is of a build that says none. */
    private static long readLife(WireReader in) throws MalformedInputException {
        return in.remaining() == 0 ? 0 : in.readLong();
    }

    /**
     * The dialling node and the dialled one.
     *
     * @param versionMin the lowest version that the sender speaks
     * @param versionMax the highest
     * @param nonce      chosen at random; the answer repeats it
     * @param advertised where the sender is reached; empty if it listens nowhere
     * @param hasSecret  whether the sender has a secret, and will show that it knows it
     * @param life       which process of the sender it is; 0 if it does not say that
     */
    record Hello(
            int versionMin,
            int versionMax,
            String cluster,
            NodeId from,
            NodeId to,
            long nonce,
            Optional<HostAndPort> advertised,
            boolean hasSecret,
            long life) {

        byte[] toBytes() {
            WireWriter out = new WireWriter(GREETING_MAX);
            out.writeRaw(MAGIC, 0, MAGIC.length);
            out.writeByte(versionMin);
            out.writeByte(versionMax);
            out.writeString(cluster);
            out.writeString(from.value());
            out.writeString(to.value());
            out.writeLong(nonce);
            out.writeString(advertised.map(HostAndPort::host).orElse(""));
            out.writeUnsigned(advertised.map(HostAndPort::port).orElse(0));
            out.writeBoolean(hasSecret);
            out.writeLong(life);
            return out.toBytes();
        }

        /** Reads what {@link #toBytes} wrote. Fields that a later version appends are not read. */
        static Hello read(byte[] body) throws MalformedInputException {
            WireReader in = new WireReader(body);
            for (byte expected : MAGIC) {
                if (in.readByte() != expected) {
                    throw new MalformedInputException("no HELLO of this library");
                }
            }
            int versionMin = in.readByte();
            int versionMax = in.readByte();
            String cluster = in.readString(CLUSTER_LENGTH_MAX);
            NodeId from = in.readNodeId();
            NodeId to = in.readNodeId();
            long nonce = in.readLong();
            String host = in.readString(HOST_LENGTH_MAX);
            int port = in.readUnsigned(65_535);
            // Version 1 ends here, and is to be told that it is refused.
            boolean hasSecret = versionMax > 1 && in.readBoolean();
            long life = readLife(in);
            try {
                Optional<HostAndPort> advertised =
                        host.isEmpty() && port == 0 ? Optional.empty() : Optional.of(new HostAndPort(host, port));
                return new Hello(versionMin, versionMax, cluster, from, to, nonce, advertised, hasSecret, life);
            } catch (IllegalArgumentException e) {
                throw new MalformedInputException("HELLO without an address");
            }
        }
    }

    /**
     * The answer to a HELLO under a secret.
     *
     * @param nonce chosen at random
     * @param shown that this node knows the secret
     */
    record Challenge(long nonce, byte[] shown) {

        byte[] toBytes() {
            WireWriter out = new WireWriter();
            out.writeLong(nonce);
            out.writeRaw(shown, 0, shown.length);
            return out.toBytes();
        }

        static Challenge read(byte[] body) throws MalformedInputException {
            if (body.length != Long.BYTES + Proof.LENGTH) {
                throw new MalformedInputException("CHALLENGE of " + body.length + " bytes");
            }
            return new Challenge(new WireReader(body).readLong(), Arrays.copyOfRange(body, Long.BYTES, body.length));
        }

        /**
         * For what the two sides show that they know the secret.
         *
         * @param side  {@link #CHALLENGE} or {@link #PROOF}; {@link #WELCOME} for what shows that it was not changed
         * @param hello what was said first; before a WELCOME, if that is shown
         * @param nonce of the CHALLENGE; 0 for a WELCOME, which answers a HELLO that no other connection begins with
         */
        static byte[] text(int side, byte[] hello, long nonce) {
            return ByteBuffer.allocate(1 + Long.BYTES + hello.length)
                    .put((byte) side)
                    .putLong(nonce)
                    .put(hello)
                    .array();
        }
    }

    /** The last answer of a greeting, in the order of the codes on the wire. */
    enum Answer {
        ADMITTED("admits us"),
        VERSION("speaks other wire versions; update one of both"),
        CLUSTER("is of another cluster; check clusterId and the peers"),
        NOT_FOR_US("is another node; check the peers"),
        OWN_ID("has our node id; check nodeId and the peers"),
        BUSY("is connected with another process under our node id, or with us still; of two processes stop one"),
        CROSSED("dials us at the same time"),
        NO_ROOM("has no room for one more contender"),
        CERTIFICATE("finds another node in our certificate; check nodeId and the certificate"),
        SECRET("has another secret; check the secret files and clusterId");

        private final String text;

        Answer(String text) {
            this.text = text;
        }

        /** The fault of the answering node, in the words of the dialling node. */
        String text() {
            return text;
        }

        /** Returns the kind of problem that this refusal shows. */
        Problem.Kind problem() {
            return switch (this) {
                case SECRET -> Problem.Kind.SECRET;
                case CERTIFICATE -> Problem.Kind.TLS;
                case BUSY -> Problem.Kind.SECOND_PROCESS;
                case ADMITTED, VERSION, CLUSTER, NOT_FOR_US, OWN_ID, CROSSED, NO_ROOM -> Problem.Kind.MISMATCH;
            };
        }

        /** Whether a node with a secret says it only after both have shown that they know it. */
        boolean isBehindProof() {
            return this == ADMITTED || this == BUSY || this == CROSSED || this == NO_ROOM;
        }
    }

    /**
     * The answer to a HELLO: admission, or the reason why not.
     *
     * @param version the version that is chosen; 0 if not admitted
     * @param nonce   that of the HELLO
     * @param mine    the value of who answers
     * @param yours   the value that the HELLO had
     * @param life    if admitted, which process of the node answers; if BUSY, which one has the place; else, and if it
     *                does not say that, 0
     */
    record Welcome(Answer answer, int version, long nonce, String mine, String yours, long life) {

        byte[] toBytes() {
            WireWriter out = new WireWriter();
            out.writeByte(answer.ordinal());
            out.writeByte(version);
            out.writeLong(nonce);
            out.writeString(mine);
            out.writeString(yours);
            out.writeLong(life);
            return out.toBytes();
        }

        static Welcome read(byte[] body) throws MalformedInputException {
            WireReader in = new WireReader(body);
            int code = in.readByte();
            int version = in.readByte();
            long nonce = in.readLong();
            String mine = in.readString(TEXT_LENGTH_MAX);
            String yours = in.readString(TEXT_LENGTH_MAX);
            long life = readLife(in);
            Answer[] answers = Answer.values();
            if (code >= answers.length) {
                throw new MalformedInputException("answer " + code + ": is not known");
            }
            return new Welcome(answers[code], version, nonce, mine, yours, life);
        }
    }
}
