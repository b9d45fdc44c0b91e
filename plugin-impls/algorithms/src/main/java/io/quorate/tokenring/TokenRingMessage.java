package io.quorate.tokenring;

import io.quorate.ring.Attempt;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The two messages of the document. Fields that only H uses are 0 or empty in F. */
sealed interface TokenRingMessage extends Message {

    /** Larger process numbers and longer lists are refused on input. */
    int PROCESS_MAX = 1 << 16;

    long term();

    /** Whether a ring of processes {@code 0 .. size-1} can have given the message. */
    boolean isPossible(int size);

    /**
     * The list on its way.
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

        /** In F. */
        Election(List<Integer> ids) {
            this(ids, Attempt.NONE, 0);
        }

        /** The list with the next process; a list that is on its way is never changed. */
        List<Integer> idsWith(int process) {
            return with(ids, process);
        }

        @Override
        public boolean isPossible(int size) {
            return !ids.isEmpty() && areProcesses(ids, size);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            writeProcesses(out, ids);
            attempt.writeTo(out);
            out.writeUnsigned(term);
        }
    }

    /**
     * The result on its way.
     *
     * @param victory who leads
     * @param ring    the members: the list as it came home
     * @param visited whom the message has passed (H)
     */
    record Coordinator(Victory victory, List<Integer> ring, List<Integer> visited) implements TokenRingMessage {
        private static final int KIND = 2;

        public Coordinator {
            ring = List.copyOf(ring);
            visited = List.copyOf(visited);
        }

        /** In F. */
        Coordinator(int leader, int starter, List<Integer> ring) {
            this(new Victory(0, leader, starter), ring, List.of());
        }

        /** The message that the next process gets from this one (H). */
        Coordinator visitedBy(int process) {
            return new Coordinator(victory, ring, with(visited, process));
        }

        @Override
        public long term() {
            return victory.term();
        }

        @Override
        public boolean isPossible(int size) {
            return areProcesses(ring, size)
                    && areProcesses(visited, size)
                    && ring.contains(victory.leader())
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
        TokenRingMessage message =
                switch (kind) {
                    case Election.KIND -> new Election(readProcesses(in), Attempt.read(in), in.readUnsigned());
                    case Coordinator.KIND -> new Coordinator(Victory.read(in), readProcesses(in), readProcesses(in));
                    default -> throw new MalformedInputException("kind " + kind + ": is no message of the token ring");
                };
        in.expectEnd();
        return message;
    }

    private static List<Integer> with(List<Integer> list, int last) {
        List<Integer> longer = new ArrayList<>(list);
        longer.add(last);
        return longer;
    }

    private static boolean areProcesses(List<Integer> processes, int size) {
        // As many different ones as there are entries; only counted, so that the order of the set does not matter.
        return processes.size() <= size
                && processes.stream().allMatch(process -> process < size)
                && Set.copyOf(processes).size() == processes.size();
    }

    /** A list of processes with its length before it. */
    static void writeProcesses(WireWriter out, List<Integer> processes) {
        out.writeUnsigned(processes.size());
        processes.forEach(out::writeUnsigned);
    }

    private static List<Integer> readProcesses(WireReader in) throws MalformedInputException {
        int count = in.readUnsigned(PROCESS_MAX);
        List<Integer> processes = new ArrayList<>(); // grows no further than the input is long
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
