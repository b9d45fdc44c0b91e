package io.quorate.tokenring;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The two messages of the document. What only H uses is 0 or empty in F. */
sealed interface TokenRingMessage extends Message {

    /** Larger process numbers and longer lists are refused on input. */
    int PROCESS_MAX = 1 << 16;

    /** The highest term in the message. */
    long term();

    /** Whether a ring of processes {@code 0 .. size-1} can have given the message. */
    boolean isPossible(int size);

    /**
     * K5: which attempt of which life of its initiator a token belongs to.
     *
     * @param incarnation the life, at least 1
     * @param number      counts the attempts of that life
     */
    record Attempt(long incarnation, long number) {
        static final Attempt NONE = new Attempt(0, 0);
    }

    /**
     * The token on its way.
     *
     * @param ids     whom it has passed, its initiator first
     * @param attempt the initiator's
     * @param term    the highest term that the sender has seen
     */
    record Election(List<Integer> ids, Attempt attempt, long term) implements TokenRingMessage {
        private static final int KIND = 1;

        public Election {
            ids = List.copyOf(ids);
        }

        @Override
        public boolean isPossible(int size) {
            return !ids.isEmpty() && areProcesses(ids, size);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            writeProcesses(out, ids);
            out.writeUnsigned(attempt.incarnation());
            out.writeUnsigned(attempt.number());
            out.writeUnsigned(term);
        }
    }

    /**
     * The result on its way.
     *
     * @param victory who leads
     * @param ring    the members, as the token collected them
     * @param visited whom the message has passed (H)
     */
    record Coordinator(Victory victory, List<Integer> ring, List<Integer> visited) implements TokenRingMessage {
        private static final int KIND = 2;

        public Coordinator {
            ring = List.copyOf(ring);
            visited = List.copyOf(visited);
        }

        @Override
        public long term() {
            return victory.term();
        }

        @Override
        public boolean isPossible(int size) {
            return areProcesses(ring, size) && areProcesses(visited, size) && ring.contains(victory.leader())
                    && victory.closer() < size;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            victory.writeTo(out);
            writeProcesses(out, ring);
            writeProcesses(out, visited);
        }
    }

    /** Reads one message, which must fill the input. */
    static TokenRingMessage read(WireReader in) throws MalformedInputException {
        int kind = in.readByte();
        TokenRingMessage message = switch (kind) {
            case Election.KIND -> new Election(readProcesses(in), new Attempt(in.readUnsigned(), in.readUnsigned()),
                    in.readUnsigned());
            case Coordinator.KIND -> new Coordinator(Victory.read(in), readProcesses(in), readProcesses(in));
            default -> throw new MalformedInputException("kind " + kind + ": is no message of the token ring");
        };
        in.expectEnd();
        return message;
    }

    private static boolean areProcesses(List<Integer> processes, int size) {
        // As many different ones as there are entries; only counted, so that the order of the set does not matter.
        return processes.size() <= size && processes.stream().allMatch(process -> process < size)
                && Set.copyOf(processes).size() == processes.size();
    }

    /** A list of processes with its length before it. */
    static void writeProcesses(WireWriter out, List<Integer> processes) {
        out.writeUnsigned(processes.size());
        processes.forEach(out::writeUnsigned);
    }

    private static List<Integer> readProcesses(WireReader in) throws MalformedInputException {
        int count = in.readUnsigned(PROCESS_MAX);
        List<Integer> processes = new ArrayList<>();                     // grows no further than the input is long
        for (int i = 0; i < count; i++) {
            processes.add(in.readUnsigned(PROCESS_MAX));
        }
        return processes;
    }

    /** A process, or -1. */
    static int readProcess(WireReader in) throws MalformedInputException {
        return in.readUnsigned(PROCESS_MAX) - 1;
    }
}
