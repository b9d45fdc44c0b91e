package io.quorate.testkit.simulation;

import io.quorate.spi.Message;
import io.quorate.testkit.picture.Chronicle;
import io.quorate.testkit.picture.Chronicle.Led;
import io.quorate.testkit.picture.Naming;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Fate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/** Looks on at an {@link ElectionCluster}, after each thing that happens in it, and keeps what it saw. */
public final class ElectionRecorder {

    private static final int MESSAGES_MAX = 50_000;
    private static final String ELECTION = "the election";

    private final ElectionCluster cluster;
    private final List<String> names;
    private final long microsPerUnit;
    private final Chronicle chronicle;
    private final Deque<Recording.Message> messages = new ArrayDeque<>();
    private long forgotten;

    /**
     * Begins to look on.
     *
     * @param first         how the process with number 0 is written
     * @param microsPerUnit how long a unit of the cluster's time is drawn
     */
    public ElectionRecorder(ElectionCluster cluster, int first, long microsPerUnit) {
        this.cluster = cluster;
        this.names = IntStream.range(first, first + cluster.contenders())
                .mapToObj(number -> "P" + number)
                .toList();
        this.microsPerUnit = microsPerUnit;
        this.chronicle = new Chronicle(names, () -> cluster.now() * microsPerUnit);
        cluster.witness(this::onMessage, this::look);
    }

    /** Something happened to the cluster. */
    public void mark(String text) {
        chronicle.mark(text);
    }

    private void onMessage(int from, int to, Message message, long sent, Fate fate) {
        Naming naming = Naming.of(message);
        // A witness has no line: it answers, and has no belief.
        if (Math.max(from, to) < names.size()) {
            messages.add(new Recording.Message(
                    names.get(from),
                    names.get(to),
                    sent * microsPerUnit,
                    cluster.now() * microsPerUnit,
                    fate,
                    naming.name(),
                    naming.fields(),
                    false));
        }
        if (messages.size() > MESSAGES_MAX) {
            messages.remove();
            forgotten++;
        }
    }

    private void look() {
        for (int process = 0; process < names.size(); process++) {
            String name = names.get(process);
            boolean isRunning = cluster.isRunning(process);
            OptionalInt leader = isRunning ? cluster.election(process).leader() : OptionalInt.empty();
            boolean leads = leader.equals(OptionalInt.of(process));
            chronicle.lives(name, isRunning, false);
            chronicle.leads(name, leads ? Set.of(new Led(ELECTION, OptionalLong.empty())) : Set.of());
            chronicle.believes(name, leader.isPresent() ? Optional.of(names.get(leader.getAsInt())) : Optional.empty());
        }
    }

    /** What was seen until now. Nothing is recorded afterwards. */
    public Recording recording(String title, String story) {
        look();
        cluster.witness((from, to, message, sent, fate) -> {}, () -> {});
        return chronicle.end(title, story, List.copyOf(messages), forgotten);
    }
}
