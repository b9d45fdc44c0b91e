package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.testkit.RealTime;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody has recorded what n1 said to n2 under a secret, from its first byte on, and says it again in the place of n1
 * while that stands still: as it was, and with each byte of its frames changed.
 */
@RealTime
class ReplayTest {

    private static final int FRAMES = 12;
    private static final int ROUNDS = 5;
    /** Of a frame, so many bytes at least stand where the MAC is what tells. */
    private static final int FLIPPED_MIN = 20;

    private static final int RECORDED_MIN = 4_000;
    /** The code of the answer to who does not know the secret. */
    private static final int SECRET = 9;
    /** The type of what carries a frame of the library over tcp. */
    private static final int DATA = 3;

    private static final List<String> OTHERS = List.of("n2", "n3");

    @TempDir
    private Path directory;

    /** What was recorded, a frame each; of both transports, a length and what it counts. */
    private static List<byte[]> frames(byte[] recorded, String transport) throws IOException {
        List<byte[]> frames = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(recorded))) {
            while (true) {
                byte[] frame = new byte[in.readInt()];
                in.readFully(frame);
                // Both also ask for signs of life, and tcp greets.
                if (transport.equals("tcp") ? frame[0] == DATA : start(frame) >= 0) {
                    frames.add(frame);
                }
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
            cluster.jvm("n1").pause();
            List<byte[]> frames = frames(recorded, transport);
            assertThat(frames).hasSizeGreaterThan(FRAMES);
            AttackedCluster.Watch watch = cluster.watch(OTHERS);
            // n2 knows each of them, or the life that it comes from shows no more that it lives.
            long known = worthless(cluster);
            // On a connection of somebody between the two, each frame is an old one.
            watch.isUnharmedBy(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    try (Lane lane = greeted(cluster, transport, keys)) {
                        frames.subList(0, FRAMES).forEach(frame -> lane.raw(withLength(frame)));
                        assertThat(lane.isRead()).as("n2 has read it").isTrue();
                        frames.forEach(frame -> lane.raw(withLength(frame)));
                        if (transport.equals("vertx")) {
                            cluster.await("n2 ends a connection of copies", () -> !lane.isRead());
                        }
                    }
                }
            });
            cluster.await(
                    "n2 has dropped each frame of the library",
                    () -> worthless(cluster) - known >= ROUNDS * FRAMES / 2);
            if (transport.equals("tcp")) {
                watch.isUnharmedBy(() -> greetingIsWorthNothing(cluster, recorded));
            }
            long forged = cluster.dropped("n2", "other-secret");
            watch.isUnharmedBy(() -> flip(cluster, transport, keys, frames));
            cluster.await(
                    "n2 has dropped what was changed",
                    () -> cluster.dropped("n2", "other-secret") - forged >= FRAMES * FLIPPED_MIN);
            System.out.printf(
                    "%s: dropped as old %d, as changed %d%n",
                    transport, worthless(cluster) - known, cluster.dropped("n2", "other-secret") - forged);
            cluster.jvm("n1").resume();
            watch.isUnharmedBy(() -> {
                try (Lane lane = lane(cluster, transport)) {
                    lane.raw(recorded);
                }
            });
            watch.isUnharmedInTheEnd();
            cluster.await("n1 is back", () -> cluster.contenders("n1") == 3 && cluster.contenders("n2") == 3);
            cluster.electsAnother();
        }
    }

    private static long worthless(AttackedCluster cluster) {
        return cluster.dropped("n2", "stale-sequence") + cluster.dropped("n2", "unproved-life");
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
    private static void flip(AttackedCluster cluster, String transport, Lock.Keys keys, List<byte[]> frames) {
        int begin = transport.equals("tcp") ? 0 : 1;
        Lane lane = greeted(cluster, transport, keys);
        for (byte[] frame : frames.subList(1, FRAMES)) {
            for (int i = begin * start(frame); i < frame.length; i++) {
                // The first byte of a frame of tcp is the type of what follows: most of these end the connection.
                boolean isEnded = !lane.raw(withLength(flipped(frame, i))) || i == 0 && !lane.isRead();
                // Sixteen bad ones in a row would end the connection.
                boolean isEnough = i % 8 == 7;
                if (isEnded || isEnough && begin > 0) {
                    assertThat(isEnded || lane.isRead()).as("n2 has read it").isTrue();
                    lane.close();
                    lane = greeted(cluster, transport, keys);
                } else if (isEnough) {
                    lane.raw(withLength(frames.get(0)));
                }
            }
            assertThat(lane.isRead())
                    .as("n2 has read all that is of the right form")
                    .isTrue();
        }
        lane.close();
        // The event bus has a head of its own before the frame; what is wrong there may end the connection.
        for (int i = 0; i < begin * start(frames.get(0)); i++) {
            try (Lane each = lane(cluster, transport)) {
                each.raw(withLength(flipped(frames.get(0), i)));
            }
        }
    }

    private static byte[] flipped(byte[] frame, int at) {
        byte[] flipped = frame.clone();
        flipped[at] ^= (byte) 0x55;
        return flipped;
    }

    /** Where the frame of the library begins in a message of the event bus: behind the sender; -1 if there is none. */
    private static int start(byte[] message) {
        // Behind the mark of a frame with a MAC stands its version, of which there are several.
        int sender = new String(message, StandardCharsets.ISO_8859_1).indexOf("\u0002n1S");
        return sender < 0 ? -1 : sender + 3;
    }

    /** From where n1 is. */
    private static Lane lane(AttackedCluster cluster, String transport) {
        String address = cluster.address("n2");
        return transport.equals("tcp")
                ? new Stranger("127.0.0.1", address, Optional.empty())
                : new Forger("n2", address);
    }

    /** One over which n1 is said to speak; on tcp as soon as the connection of n1 counts as silent. */
    private static Lane greeted(AttackedCluster cluster, String transport, Lock.Keys keys) {
        Lane[] last = new Lane[1];
        cluster.await("n2 lets the greeting in", () -> {
            last[0] = lane(cluster, transport);
            boolean isIn = last[0] instanceof Stranger stranger ? isIn(stranger, keys) : last[0].isRead();
            if (!isIn) {
                last[0].close();
            }
            return isIn;
        });
        return last[0];
    }

    private static boolean isIn(Stranger stranger, Lock.Keys keys) {
        stranger.greet(AttackedCluster.CLUSTER, "n1", "n2", true);
        return stranger.answer(Optional.of(Mac.ofGreetings(keys.secret()))) == Stranger.ADMITTED;
    }

    /** The greeting as well: what was shown answers another challenge. */
    private static void greetingIsWorthNothing(AttackedCluster cluster, byte[] recorded) {
        cluster.await("n2 refuses the recorded greeting", () -> {
            try (Stranger stranger = new Stranger("127.0.0.1", cluster.address("n2"), Optional.empty())) {
                stranger.raw(recorded);
                // The challenge, and the refusal.
                stranger.answer();
                return stranger.answer() == SECRET;
            }
        });
    }
}
