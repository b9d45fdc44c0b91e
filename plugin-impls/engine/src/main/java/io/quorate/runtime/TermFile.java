package io.quorate.runtime;

import io.quorate.runtime.TermStore.Stored;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The content of a voter's file: magic, version, node id, cluster id, term ceiling, identity of the directory, who
 * votes, and the CRC32C of all of that. Versions 1 and 2 have the number of a life behind the ceiling, which nobody
 * needs; version 1 ends there.
 *
 * @param self      whose file it is
 * @param clusterId of which cluster
 * @param stored    what is kept
 */
record TermFile(NodeId self, String clusterId, Stored stored) {

    /** The longest cluster id, in bytes of UTF-8. */
    static final int CLUSTER_ID_LENGTH_MAX = 1024;

    private static final long MAGIC = 0x51554f5241544531L; // "QUORATE1", never changed: the version stands behind
    private static final int VERSION_MIN = 1;
    private static final int VERSION_MAX = 3;

    byte[] write() {
        WireWriter out = new WireWriter();
        out.writeLong(MAGIC);
        out.writeByte(VERSION_MAX);
        out.writeString(self.value());
        out.writeString(clusterId);
        out.writeLong(stored.termCeiling());
        out.writeLong(stored.identity());
        byte[] voters = new byte[stored.voters().remaining()];
        stored.voters().duplicate().get(voters);
        out.writeBytes(voters);
        out.writeLong(checksum(out.toBytes(), out.length()));
        return out.toBytes();
    }

    /** Whether it is a whole file of a library that is newer than this one, as far as that can be told. */
    static boolean isNewer(byte[] bytes) {
        WireReader in = new WireReader(bytes);
        try {
            return in.readLong() == MAGIC && in.readByte() > VERSION_MAX;
        } catch (MalformedInputException e) {
            return false;
        }
    }

    /** @throws MalformedInputException if it is not exactly what {@link #write} makes; the message says why */
    static TermFile read(byte[] bytes) throws MalformedInputException {
        WireReader in = new WireReader(bytes);
        if (in.readLong() != MAGIC) {
            throw new MalformedInputException("it does not begin like a term file of Quorate");
        }
        int version = in.readByte();
        if (version < VERSION_MIN || version > VERSION_MAX) {
            throw new MalformedInputException("it has version " + version + ", and this library reads versions "
                    + VERSION_MIN + " to " + VERSION_MAX);
        }
        NodeId self = in.readNodeId();
        String clusterId = in.readString(CLUSTER_ID_LENGTH_MAX);
        long termCeiling = in.readLong();
        long life = version < VERSION_MAX ? in.readLong() : 0;
        long identity = version == VERSION_MIN ? 0 : in.readLong();
        byte[] voters = version == VERSION_MIN ? new byte[0] : in.readBytes(TermStore.VOTERS_LENGTH_MAX);
        long computed = checksum(bytes, bytes.length - in.remaining());
        if (in.readLong() != computed) {
            throw new MalformedInputException("its checksum is wrong");
        }
        in.expectEnd();
        if (termCeiling < 0 || life < 0) {
            throw new MalformedInputException("it holds a negative number");
        }
        return new TermFile(self, clusterId, new Stored(termCeiling, identity, ByteBuffer.wrap(voters)));
    }

    private static long checksum(byte[] bytes, int count) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, count);
        return checksum.getValue();
    }
}
