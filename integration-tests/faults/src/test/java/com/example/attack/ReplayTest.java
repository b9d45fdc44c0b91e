package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody has recorded what n1 said to n2 under a secret, from its first byte on, and says it again in the place of n1
 * while that stands still: as it was, and with each byte of its frames changed.
 */
@Timeout(300)
class ReplayTest {

    private static final int FRAMES = 12;
    private static final int RECORDED_MIN = 4_000;
    private static final List<String> OTHERS = List.of("n2", "n3");

    @TempDir
    private Path directory;

    /** What was recorded, a frame each; of both transports, a length and what it counts. */
    private static List<byte[]> frames(byte[] recorded) throws IOException {
        List<byte[]> frames = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(recorded))) {
            while (true) {
                byte[] frame = new byte[in.readInt()];
                in.readFully(frame);
                frames.add(frame);
            }
        } catch (EOFException e) {
            return frames;
        }
    }

    private static byte[] withLength(byte[] frame) {
        byte[] bytes = new byte[4 + frame.length];
        for (int i = 0; i < 4; i++) {
            bytes[i] = (byte) (frame.length >>> 24 - 8 * i);
        }
        System.arraycopy(frame, 0, bytes, 4, frame.length);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "vertx"})
    void whatWasRecordedIsWorthNothing(String transport) throws Exception {
        Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
        Lock.Keys keys = new Lock.Keys(Lock.SECRET, directory);
        try (Line line = new Line(addresses.get("n2"));
                AttackedCluster cluster = new AttackedCluster(directory, transport, addresses, (node, properties) -> {
                    keys.put(node, properties);
                    replaceAddress(node, properties, addresses, line);
                })) {
            cluster.await("enough is recorded", () -> line.recorded().length >= RECORDED_MIN);
            byte[] recorded = line.recorded();
            String target = cluster.address("n2");
            cluster.jvm("n1").pause();
            cluster.leader(OTHERS);
            // As it was: the greeting is taken, and each frame is an old one.
            cluster.isUnharmedBy(OTHERS, () -> {
                for (int i = 0; i < 20; i++) {
                    try (Stranger stranger = new Stranger(target)) {
                        stranger.write(recorded);
                    }
                }
            });
            List<byte[]> frames = frames(recorded);
            assertThat(frames).hasSizeGreaterThan(FRAMES);
            cluster.isUnharmedBy(OTHERS, () -> flip(target, frames));
            cluster.jvm("n1").resume();
            cluster.isUnharmedBy(OTHERS, () -> {
                try (Stranger stranger = new Stranger(target)) {
                    stranger.write(recorded);
                }
            });
            cluster.await("n1 is back", () -> cluster.contenders("n1") == 3 && cluster.contenders("n2") == 3);
            cluster.electsAnother();
        }
    }

    /** n1 reaches n2 through the line only, and n2 does not dial n1. */
    private static void replaceAddress(String node, Properties properties, Map<String, String> addresses, Line line) {
        String peers = properties.getProperty("quorate.peers");
        if (node.equals("n1")) {
            properties.setProperty("quorate.peers", peers.replace(addresses.get("n2"), line.address()));
        } else if (node.equals("n2")
                && properties.getProperty("quorate.transport").equals("tcp")) {
            properties.setProperty("quorate.peers", peers.replace(addresses.get("n1"), "127.0.0.1:1"));
        }
    }

    /** Every byte of some frames, one at a time, behind the greeting on a connection that stays open if it may. */
    private static void flip(String target, List<byte[]> frames) {
        Stranger[] connection = {greeted(target, frames)};
        for (byte[] frame : frames.subList(1, FRAMES)) {
            for (int i = 0; i < frame.length; i++) {
                byte[] flipped = frame.clone();
                flipped[i] ^= (byte) 0x55;
                if (!connection[0].write(withLength(flipped))) {
                    connection[0].close();
                    connection[0] = greeted(target, frames);
                }
            }
        }
        connection[0].close();
    }

    private static Stranger greeted(String target, List<byte[]> frames) {
        Stranger stranger = new Stranger(target);
        stranger.write(withLength(frames.get(0)));
        return stranger;
    }
}
