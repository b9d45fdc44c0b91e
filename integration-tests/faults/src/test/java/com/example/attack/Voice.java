package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.attack.Forger.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/**
 * A life of some name that speaks to a node by bytes, and shows that it lives as nodes do: it names the life of the node,
 * and acknowledges what that has sent, docs/protocol.md#lives. What it says then is handled. Knows no class of the
 * library.
 */
final class Voice {

    /** In the last byte of an envelope: whoever sends it wants an answer at once. */
    static final int ASKS = 0x80;

    private static final int HEARTBEAT = 1;
    private static final int ACK = 2;
    private static final int MAC_LENGTH = 16;
    /** Long: what is waited for is work of a node, which other processes may hold up. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private final String from;
    private final String to;
    private final Optional<Mac> mac;
    private final long life;
    private long theirs;
    private long heard;
    private long sequence;
    private long acknowledged;
    private long configuration = 7;
    private int frames;
    private boolean isSupported;

    /** @param mac of the secret of the cluster, if it has one */
    Voice(String from, String to, Optional<Mac> mac, Random random) {
        this.from = from;
        this.to = to;
        this.mac = mac;
        this.life = 1 + (random.nextLong() >>> 2);
    }

    /** One that is heard from now on. */
    static Voice heard(Lane lane, String from, String to, Optional<Mac> mac) {
        Voice voice = new Voice(from, to, mac, new Random());
        voice.shakeHands(lane);
        return voice;
    }

    /** The next frame: one that asks if it has no messages. */
    byte[] frame(Bytes... messages) {
        return sealed(
                new Forger.Head(from, to, life, theirs, ++sequence, heard, messages.length == 0 ? ASKS : 0), messages);
    }

    /** The next frame, which says nothing but that its sender lives. */
    byte[] news() {
        return sealed(new Forger.Head(from, to, life, theirs, ++sequence, heard, 0));
    }

    /** A frame with this envelope. */
    byte[] sealed(Forger.Head head, Bytes... messages) {
        byte[] frame = Forger.frame(mac.isPresent() ? 'S' : 'Q', head, messages);
        return mac.map(key -> key.appendedTo(frame)).orElse(frame);
    }

    String from() {
        return from;
    }

    /** What stands in heartbeats of a node whose settings agree, as far as one was heard; else what no node says. */
    long configuration() {
        return configuration;
    }

    /** The life of the node that it has heard. */
    long theirs() {
        return theirs;
    }

    /** How many frames it has made with an envelope of its own. */
    long sent() {
        return sequence;
    }

    /** How many frames of the node it has heard. */
    int frames() {
        return frames;
    }

    private void shakeHands(Lane lane) {
        long begun = System.nanoTime();
        // A life that waits for its place is asked again at each frame with messages, and not answered.
        while (theirs == 0 || acknowledged == 0) {
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .as("%s answers %s", to, from)
                    .isLessThan(DEADLINE);
            lane.frame(from, frame(Forgeries.heartbeat(1, 0, configuration)));
            lane.frame(from, frame());
            listen(lane);
        }
        awaitHandled(lane);
    }

    /** Only who is heard is answered, and nothing is acknowledged before it is handled. */
    void awaitHandled(Lane lane) {
        long last = sequence;
        long begun = System.nanoTime();
        while (acknowledged <= last) {
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .as("%s has handled what %s has said up to %d, and %d so far", to, from, last, acknowledged)
                    .isLessThan(DEADLINE);
            lane.frame(from, frame());
            listen(lane);
        }
    }

    /** Until the node, which votes, has acknowledged a heartbeat: then it looks at claims and all that is of paths. */
    void awaitSupport(Lane lane) {
        long begun = System.nanoTime();
        for (int i = 1; !isSupported; i++) {
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .as("%s supports %s", to, from)
                    .isLessThan(DEADLINE);
            lane.frame(from, frame(Forgeries.heartbeat(i, 0, configuration)));
            listen(lane);
        }
    }

    /** Hears what has come, or comes in time. */
    void listen(Lane lane) {
        lane.flush();
        Optional<byte[]> said = lane.carried();
        while (said.isPresent()) {
            hear(said.get());
            said = lane.carriedSoFar();
        }
    }

    /** Takes up what a frame of the node says of this voice. */
    void hear(byte[] frame) {
        ByteBuffer read = ByteBuffer.wrap(frame, 0, frame.length - (frame[0] == 'S' ? MAC_LENGTH : 0));
        read.position(2);
        // Cluster, sender and receiver; all of them are short.
        boolean isOurs = true;
        for (int i = 0; i < 3; i++) {
            byte[] text = new byte[read.get()];
            read.get(text);
            String name = new String(text, StandardCharsets.UTF_8);
            isOurs &= i == 0 || name.equals(i == 1 ? to : from);
        }
        long of = read.getLong();
        long meant = read.getLong();
        long number = unsigned(read);
        long known = unsigned(read);
        boolean asks = (read.get() & ASKS) != 0;
        // A refusal is of no life.
        if (!isOurs || of == 0) {
            return;
        }
        frames++;
        if (of != theirs) {
            theirs = of;
            heard = 0;
        }
        heard = Math.max(heard, number);
        acknowledged = meant == life && !asks ? Math.max(acknowledged, known) : acknowledged;
        int kind = read.hasRemaining() ? read.get() : 0;
        isSupported |= kind == ACK;
        if (kind == HEARTBEAT && unsigned(read) <= 1) {
            unsigned(read);
            if (read.get() == 1) {
                unsigned(read);
                unsigned(read);
            }
            read.getShort();
            unsigned(read);
            configuration = read.getLong();
            read.get();
            unsigned(read);
            isSupported |= read.hasRemaining() && read.get() == ACK;
        }
    }

    private static long unsigned(ByteBuffer read) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = read.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}
