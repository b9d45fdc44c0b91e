package io.quorate.runtime;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.TermStore.Stored;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.zip.CRC32C;

/**
 * The content of a voter's file: magic, version, node id, cluster id, term ceiling, incarnation, CRC32C of all of that.
 *
 * @param self      whose file it is
 * @param clusterId of which cluster
 * @param stored    the numbers
 */
record TermFile(NodeId self, String clusterId, Stored stored) {

    /** The longest cluster id, in bytes of UTF-8. */
    static final int CLUSTER_ID_LENGTH_MAX = 1024;

    private static final long MAGIC = 0x51554f5241544531L; // "QUORATE1", never changed: the version stands behind
    private static final int VERSION = 1;

    byte[] write() {
        WireWriter out = new WireWriter();
        out.writeLong(MAGIC);
        out.writeByte(VERSION);
        out.writeString(self.value());
        out.writeString(clusterId);
        out.writeLong(stored.termCeiling());
        out.writeLong(stored.incarnation());
        out.writeLong(checksum(out.toBytes(), out.length()));
        return out.toBytes();
    }

    /** @throws MalformedInputException if it is not exactly what {@link #write} makes; the message says why */
    static TermFile read(byte[] bytes) throws MalformedInputException {
        WireReader in = new WireReader(bytes);
        if (in.readLong() != MAGIC) {
            throw new MalformedInputException("it does not begin like a term file of Quorate");
        }
        int version = in.readByte();
        if (version != VERSION) {
            throw new MalformedInputException(
                    "it has version " + version + ", and this library reads version " + VERSION);
        }
        NodeId self = in.readNodeId();
        String clusterId = in.readString(CLUSTER_ID_LENGTH_MAX);
        long termCeiling = in.readLong();
        long incarnation = in.readLong();
        long computed = checksum(bytes, bytes.length - in.remaining());
        if (in.readLong() != computed) {
            throw new MalformedInputException("its checksum is wrong");
        }
        in.expectEnd();
        if (termCeiling < 0 || incarnation < 0) {
            throw new MalformedInputException("it holds a negative number");
        }
        return new TermFile(self, clusterId, new Stored(termCeiling, incarnation));
    }

    private static long checksum(byte[] bytes, int count) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, count);
        return checksum.getValue();
    }
}
