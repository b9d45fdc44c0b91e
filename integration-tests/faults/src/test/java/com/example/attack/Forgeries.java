package com.example.attack;

import com.example.attack.Forger.Bytes;
import java.util.ArrayList;
import java.util.List;

/** Messages that no honest node sends, or not in this moment. */
final class Forgeries {

    /** The largest number that a message may hold. */
    private static final long LIMIT = 1L << 62;

    /** Numbers to forge with. */
    static final long[] NUMBERS = {0, 1, 2, 7, 1L << 40, LIMIT - 1, LIMIT, LIMIT + 1, Long.MAX_VALUE};

    /** How each message begins. */
    private static final int HEARTBEAT = 1;

    private static final int ACK = 2;
    private static final int REFUSED = 3;
    /** Older builds send this and the next one. */
    private static final int INQUIRY = 4;

    private static final int HEARD = 5;
    static final int GOODBYE = 7;
    private static final int REGISTRATIONS = 8;
    private static final int LISTINGS = 10;
    static final int CLAIM = 12;
    private static final int VOTE = 13;
    private static final int NACK = 14;
    private static final int RELEASE = 15;
    private static final int CHALLENGE = 16;
    private static final int HANDOVER = 17;

    /** Of a node whose settings differ. */
    static Bytes heartbeat(long sequence, long term) {
        return heartbeat(sequence, term, 7);
    }

    /** Renounces nothing, is connected, urgent and durable, and knows the first list of voters. */
    static Bytes heartbeat(long sequence, long term, long configuration) {
        return Bytes.of(HEARTBEAT)
                .numbers(1, sequence)
                .octet(0)
                .octet(1)
                .octet(1)
                .numbers(term)
                .eight(configuration)
                .octet(1)
                .numbers(0);
    }

    /** Everything that is for voters, leaders or contenders to say, with this number wherever one stands. */
    static List<Bytes> all(String path, long n) {
        List<Bytes> all = new ArrayList<>(List.of(
                heartbeat(1, n),
                Bytes.of(ACK).numbers(n, 1, 1, 1, n, n, 0),
                Bytes.of(ACK).numbers(1, n, n, n, 0, 0, 0),
                Bytes.of(REFUSED).octet(1).text("forged\n[main] ERROR a line of its own \u001b[31m"),
                Bytes.of(INQUIRY),
                Bytes.of(HEARD).numbers(n),
                Bytes.of(GOODBYE),
                Bytes.of(REGISTRATIONS).numbers(n, n, n, 0),
                Bytes.of(LISTINGS).numbers(n, n, n, 0)));
        for (int contender = 1; contender < 4; contender++) {
            all.add(Bytes.of(CLAIM).text(path).numbers(contender, n));
            all.add(Bytes.of(VOTE).text(path).numbers(contender, n, n, n));
            all.add(Bytes.of(NACK).text(path).numbers(contender, 1, n, n));
            all.add(Bytes.of(RELEASE).text(path).numbers(contender, n).octet(0));
            all.add(Bytes.of(HANDOVER).text(path).numbers(contender, n, 2));
            all.add(Bytes.of(HANDOVER).text(path).numbers(contender, 1, n));
            for (String node : List.of("n1", "n2", "n3")) {
                all.add(Bytes.of(CHALLENGE)
                        .text(path)
                        .numbers(contender)
                        .text(node)
                        .numbers(n, n));
                all.add(Bytes.of(RELEASE)
                        .text(path)
                        .numbers(contender, n)
                        .octet(1)
                        .text(node)
                        .numbers(n, contender, n));
            }
        }
        return all;
    }

    private Forgeries() {}
}
