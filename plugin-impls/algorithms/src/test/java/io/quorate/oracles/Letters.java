package io.quorate.oracles;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads the messages of the algorithms from their bytes. Fields of the hardened variants must be empty. */
final class Letters {

    private Letters() {}

    /** A heartbeat has its round, and the number and process of a ballot. */
    static Letter ofBallot(WireReader in, String request, String reply) throws MalformedInputException {
        boolean isRequest = in.readByte() == 1;
        long round = in.readUnsigned();
        long process = in.readUnsigned() - 1;
        long number = in.readUnsigned();
        expectZeros(in, 2); // the life inside the ballot, and that of the request
        if (!isRequest) {
            expectZeros(in, 3); // no leader's ballot
            in.readBoolean();
        }
        return Letter.of(isRequest ? request : reply, round, number, process);
    }

    /** Round, replies, own ballot, leader's ballot, greatest ballot, delay. */
    static List<Object> ofBallotState(WireReader in, String reply) throws MalformedInputException {
        long round = in.readUnsigned();
        Set<String> replies = new TreeSet<>();
        for (long left = in.readUnsigned(); left > 0; left--) {
            replies.add(ofBallot(in, "", reply).toString());
        }
        return List.of(round, replies, readBallot(in), readBallot(in), readBallot(in), in.readUnsigned());
    }

    /** The process and the number of a ballot, -1 and 0 of none. */
    private static List<Long> readBallot(WireReader in) throws MalformedInputException {
        List<Long> ballot = List.of(in.readUnsigned() - 1, in.readUnsigned());
        expectZeros(in, 1); // a life
        return ballot;
    }

    static Letter ofBully(WireReader in, String election, String answer, String victory)
            throws MalformedInputException {
        int kind = in.readByte();
        expectZeros(in, 1); // a term
        return Letter.of(kind == 1 ? election : kind == 2 ? answer : victory);
    }

    /** Both phases have an identifier. */
    static Letter ofLcr(WireReader in, String first, String second) throws MalformedInputException {
        boolean isFirst = in.readByte() == 1;
        long id = in.readUnsigned();
        expectZeros(in, isFirst ? 4 : 3); // an attempt or a term, the highest term, hops
        return Letter.of(isFirst ? first : second, id);
    }

    /** An election has its list; a result has its list, its starter and its leader. */
    static Letter ofTokenRing(WireReader in, String election, String result) throws MalformedInputException {
        if (in.readByte() == 1) {
            List<Integer> ids = readProcesses(in);
            expectZeros(in, 3); // an attempt and a term
            return Letter.of(election, ids);
        }
        expectZeros(in, 1); // a term
        long leader = in.readUnsigned() - 1;
        long starter = in.readUnsigned() - 1;
        List<Integer> ids = readProcesses(in);
        expectZeros(in, 1); // the list of visited processes is empty
        return Letter.of(result, ids, starter, leader);
    }

    /** The members of the ring. */
    static List<Object> ofTokenRingState(WireReader in) throws MalformedInputException {
        in.readUnsigned(); // the leader
        in.readBoolean(); // whether the process takes part
        readProcesses(in); // the suspects
        return List.of(readProcesses(in));
    }

    /** l, the arrivals, the number of the last MESSAGE, ListPRI, timestamp and r; in an election trust too. */
    static List<Object> ofThreePhaseState(WireReader in) throws MalformedInputException {
        boolean isElecting = in.readByte() == 1;
        in.readUnsigned(); // the leader
        List<Object> variables = new ArrayList<>(List.of(in.readUnsigned()));
        SortedMap<Long, Long> arrivals = new TreeMap<>();
        for (int left = in.readByte(); left > 0; left--) {
            arrivals.put(in.readUnsigned(), in.readLong());
        }
        variables.addAll(List.of(arrivals, in.readUnsigned(), readPriorities(in), readTimestamp(in)));
        variables.add(in.readUnsigned() - 1);
        variables.add(isElecting ? readProcesses(in) : List.of());
        return variables;
    }

    /** The names are those of source 002; the ACK of line 61 is ACK_REPORT. */
    static Letter ofThreePhase(WireReader in) throws MalformedInputException {
        int kind = in.readByte();
        return switch (kind) {
            case 1 -> Letter.of("MESSAGE", in.readUnsigned(), readPriorities(in), readTimestamp(in));
            case 2 -> Letter.of("START", in.readUnsigned());
            case 3 -> Letter.of("OK", in.readUnsigned(), readProcesses(in));
            case 4 -> Letter.of("ACK", in.readUnsigned());
            case 5 -> Letter.of("COLLECT", in.readUnsigned());
            case 6 -> {
                Letter report = Letter.of("REPORT", in.readUnsigned(), readPriorities(in), readTimestamp(in));
                if (in.readLong() != 0) {
                    throw new MalformedInputException("REPORT has an own priority");
                }
                yield report;
            }
            case 7 -> Letter.of("ACK_REPORT", readPriorities(in), readTimestamp(in));
            case 8 -> {
                in.readUnsigned(); // an epoch, which is constant
                Letter announced = Letter.of("LEADER", in.readUnsigned() - 1);
                expectZeros(in, 1); // an empty list
                yield announced;
            }
            default -> throw new MalformedInputException("kind " + kind + " belongs to the hardened variant");
        };
    }

    private static void expectZeros(WireReader in, int count) throws MalformedInputException {
        for (int left = count; left > 0; left--) {
            long value = in.readUnsigned();
            if (value != 0) {
                throw new MalformedInputException("a field of the hardened variant is " + value);
            }
        }
    }

    private static List<Integer> readProcesses(WireReader in) throws MalformedInputException {
        List<Integer> processes = new ArrayList<>();
        for (long left = in.readUnsigned(); left > 0; left--) {
            processes.add((int) in.readUnsigned());
        }
        return processes;
    }

    private static SortedMap<Integer, Long> readPriorities(WireReader in) throws MalformedInputException {
        SortedMap<Integer, Long> priorities = new TreeMap<>();
        for (long left = in.readUnsigned(); left > 0; left--) {
            int process = (int) in.readUnsigned();
            priorities.put(process, in.readLong());
        }
        return priorities;
    }

    private static long readTimestamp(WireReader in) throws MalformedInputException {
        in.readUnsigned(); // an epoch, which is constant
        return in.readUnsigned();
    }
}
