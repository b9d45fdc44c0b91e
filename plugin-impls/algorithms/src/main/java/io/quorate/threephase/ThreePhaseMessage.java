package io.quorate.threephase;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import io.quorate.threephase.Priorities.Held;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** The messages of the document and of H. Fields that only H uses are constant in F. */
sealed interface ThreePhaseMessage extends Message {

    /** Larger process numbers, and lists of more processes, are refused on input. */
    int PROCESS_MAX = 1 << 16;

    /** Whether it names no process from {@code processes} up. */
    default boolean fits(int processes) {
        return true;
    }

    /**
     * MESSAGE: the heartbeat of the leader (G2).
     *
     * @param number 1, 2, 3 and so on as long as the sender lives (G15)
     * @param held   the sender's list; the epoch of its version is that of the sender's lead
     * @param isFollowed whether a majority follows the sender, which its kind says; false in F
     */
    record Heartbeat(long number, Held held, boolean isFollowed) implements ThreePhaseMessage {
        private static final int KIND = 1;
        private static final int KIND_FOLLOWED = 11;

        @Override
        public boolean fits(int processes) {
            return held.list().fits(processes);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(isFollowed ? KIND_FOLLOWED : KIND);
            out.writeUnsigned(number);
            held.writeTo(out);
        }
    }

    /** START: the sender has entered the round. */
    record Start(long round) implements ThreePhaseMessage {
        private static final int KIND = 2;

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(round);
        }
    }

    /** OK: the judge of the round is there, and trusts these. */
    record Ok(long round, SortedSet<Integer> trust) implements ThreePhaseMessage {
        private static final int KIND = 3;

        public Ok {
            trust = Collections.unmodifiableSortedSet(new TreeSet<>(trust));
        }

        @Override
        public boolean fits(int processes) {
            return trust.isEmpty() || trust.last() < processes;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(round);
            writeProcesses(out, trust);
        }
    }

    /** ACK: the answer to an OK. */
    record Ack(long round) implements ThreePhaseMessage {
        private static final int KIND = 4;

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(round);
        }
    }

    /** COLLECT: the judge of the round wants a REPORT. The document names the judge, which is the round modulo n. */
    record Collect(long round) implements ThreePhaseMessage {
        private static final int KIND = 5;

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(round);
        }
    }

    /**
     * REPORT: the answer to a COLLECT.
     *
     * @param key         the round of the COLLECT in H; the sender in F, as printed
     * @param held        the sender's list
     * @param ownPriority the sender's own priority in H, 0 in F
     */
    record Report(long key, Held held, long ownPriority) implements ThreePhaseMessage {
        private static final int KIND = 6;

        @Override
        public boolean fits(int processes) {
            return held.list().fits(processes);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(key);
            held.writeTo(out);
            out.writeLong(ownPriority);
        }
    }

    /** ACK of line 61, sent in F only: it has no receiver rule (G13). */
    record AckReport(Held held) implements ThreePhaseMessage {
        private static final int KIND = 7;

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            held.writeTo(out);
        }
    }

    /** LEADER: this is who was elected; F leaves the epoch at 0 and the list empty. */
    record Leader(Decision decision, Priorities list) implements ThreePhaseMessage {
        private static final int KIND = 8;

        @Override
        public boolean fits(int processes) {
            return 0 <= decision.leader() && decision.leader() < processes && list.fits(processes);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            decision.writeTo(out);
            list.writeTo(out);
        }
    }

    /** LACK: the sender knows the decision of this epoch (H). */
    record LeaderAck(long epoch) implements ThreePhaseMessage {
        private static final int KIND = 9;

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(epoch + 1);
        }
    }

    /** HBACK: the answer to a heartbeat (H). */
    record HeartbeatAck(long number) implements ThreePhaseMessage {
        private static final int KIND = 10;

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(number);
        }
    }

    /** Reads one message, which must fill the input. */
    static ThreePhaseMessage read(WireReader in) throws MalformedInputException {
        int kind = in.readByte();
        ThreePhaseMessage message =
                switch (kind) {
                    case Heartbeat.KIND, Heartbeat.KIND_FOLLOWED ->
                        new Heartbeat(in.readUnsigned(), Held.read(in), kind == Heartbeat.KIND_FOLLOWED);
                    case Start.KIND -> new Start(in.readUnsigned());
                    case Ok.KIND -> new Ok(in.readUnsigned(), readProcesses(in));
                    case Ack.KIND -> new Ack(in.readUnsigned());
                    case Collect.KIND -> new Collect(in.readUnsigned());
                    case Report.KIND -> new Report(in.readUnsigned(), Held.read(in), in.readLong());
                    case AckReport.KIND -> new AckReport(Held.read(in));
                    case Leader.KIND -> new Leader(Decision.read(in), Priorities.read(in));
                    case LeaderAck.KIND -> new LeaderAck(readEpoch(in));
                    case HeartbeatAck.KIND -> new HeartbeatAck(in.readUnsigned());
                    default ->
                        throw new MalformedInputException("kind " + kind + ": is no message of the group election");
                };
        in.expectEnd();
        return message;
    }

    /** An epoch, which is -1 before the first decision and therefore written plus 1. */
    static long readEpoch(WireReader in) throws MalformedInputException {
        return in.readUnsigned() - 1;
    }

    /** A set of processes, in ascending order. */
    static void writeProcesses(WireWriter out, SortedSet<Integer> processes) {
        out.writeUnsigned(processes.size());
        processes.forEach(out::writeUnsigned);
    }

    private static SortedSet<Integer> readProcesses(WireReader in) throws MalformedInputException {
        SortedSet<Integer> processes = new TreeSet<>();
        for (int left = in.readUnsigned(PROCESS_MAX); left > 0; left--) {
            int process = in.readUnsigned(PROCESS_MAX);
            if (!processes.isEmpty() && process <= processes.last()) {
                throw new MalformedInputException("process " + process + " behind " + processes.last());
            }
            processes.add(process);
        }
        return processes;
    }
}
