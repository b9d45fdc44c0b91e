package io.quorate.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.quorate.cli.Nodes.Said;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A node's view of the voters.
 *
 * @param number of the list; 0 if it knows none
 */
record VotersAnswer(String node, long number, List<Voter> voters) {

    static final String ENDPOINT = "/voters";

    /**
     * One voter.
     *
     * @param address empty if only settings or the transport know it
     */
    record Voter(String id, Optional<String> address) {}

    static VotersAnswer read(int status, JsonObject body) throws NoAnswer {
        if (status != 200) {
            throw NodeStatus.unexpected(status, body);
        }
        List<Voter> voters = new ArrayList<>();
        for (JsonObject voter : body.objects("voters")) {
            voters.add(new Voter(voter.text("id"), voter.optionalText("address")));
        }
        return new VotersAnswer(body.text("node"), body.optionalNumber("number").orElse(0L), voters);
    }

    /**
     * The first answer with the highest number, among the nodes that know a list; a voter if there is one, which can
     * change the list.
     */
    static Optional<Said<VotersAnswer>> newest(List<Said<VotersAnswer>> all) {
        return all.stream()
                .filter(each -> numberOf(each) > 0)
                .max(Comparator.<Said<VotersAnswer>>comparingLong(VotersAnswer::numberOf)
                        .thenComparing(VotersAnswer::isVoter)
                        .thenComparing(all::indexOf, Comparator.reverseOrder()));
    }

    private static boolean isVoter(Said<VotersAnswer> each) {
        return each.said()
                .filter(answer -> answer.voters.stream().anyMatch(voter -> voter.id.equals(answer.node)))
                .isPresent();
    }

    static long numberOf(Said<VotersAnswer> each) {
        return each.said().map(VotersAnswer::number).orElse(0L);
    }

    /** The view that nodes of one cluster share; empty if this one does not know a list. */
    Optional<?> list() {
        return number == 0
                ? Optional.empty()
                : Optional.of(List.of(number, voters.stream().map(Voter::id).toList()));
    }

    void write(JsonGenerator json) throws IOException {
        json.writeNumberField("number", number);
        JsonLine.objects(json, "voters", voters, (object, voter) -> {
            object.writeStringField("id", voter.id);
            JsonLine.text(object, "address", voter.address);
        });
    }

    @Override
    public String toString() {
        return number == 0
                ? "knows of no list yet"
                : "number " + number + ": "
                        + voters.stream().map(voter -> Shown.of(voter.id)).collect(Collectors.joining(", "));
    }
}
