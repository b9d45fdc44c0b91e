package io.quorate.ballot;

import io.quorate.algorithms.Notation;
import io.quorate.ballot.BallotMessage.Reply;
import io.quorate.ballot.BallotMessage.Request;
import io.quorate.spi.Effect;
import io.quorate.spi.Mark;
import io.quorate.spi.Message;
import io.quorate.spi.Variant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code REQ(round,bmax)} and {@code REP(round,ballot)}; H adds inc, and for REP the leader's ballot and qc. */
record BallotNotation(Variant variant) implements Notation {

    private static final Pattern MESSAGE =
            Pattern.compile("(REQ|REP)\\((\\d+),(\\([^)]*\\))(?:,(\\d+))?(?:,(-|\\([^)]*\\)),([TF]))?\\)");

    @Override
    public String show(Message message) {
        if (message instanceof Request request) {
            String inc = isHardened() ? "," + request.incarnation() : "";
            return "REQ(" + request.round() + "," + show(request.bmax()) + inc + ")";
        }
        Reply reply = (Reply) message;
        String rest = isHardened()
                ? "," + reply.incarnation() + "," + show(reply.leaderBallot()) + "," + (reply.heardQuorum() ? "T" : "F")
                : "";
        return "REP(" + reply.round() + "," + show(reply.ballot()) + rest + ")";
    }

    private boolean isHardened() {
        return variant == Variant.HARDENED;
    }

    private String show(Mark ballot) {
        if (ballot.equals(Mark.NONE)) {
            return "-";
        }
        String inc = isHardened() ? "," + ballot.incarnation() : "";
        return "(" + ballot.term() + "," + (ballot.process() + 1) + inc + ")";
    }

    @Override
    public Message parse(String text) {
        Matcher matcher = MESSAGE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no message: " + text);
        }
        long round = Long.parseLong(matcher.group(2));
        Mark ballot = ballot(matcher.group(3));
        long incarnation = matcher.group(4) == null ? 0 : Long.parseLong(matcher.group(4));
        if (matcher.group(1).equals("REQ")) {
            return new Request(round, ballot, incarnation);
        }
        Mark leader = matcher.group(5) == null ? Mark.NONE : ballot(matcher.group(5));
        return new Reply(round, ballot, incarnation, leader, !"F".equals(matcher.group(6)));
    }

    private static Mark ballot(String text) {
        if (text.equals("-")) {
            return Mark.NONE;
        }
        String[] parts = text.substring(1, text.length() - 1).split(",");
        return new Mark(
                Long.parseLong(parts[0]),
                Integer.parseInt(parts[1]) - 1,
                parts.length == 3 ? Long.parseLong(parts[2]) : 0);
    }

    @Override
    public String showMark(Effect.Nominate nominate) {
        return " " + show(nominate.mark());
    }
}
