package io.quorate.testkit.simulation;

import io.quorate.spi.Message;
import io.quorate.testkit.picture.Chronicle;
import io.quorate.testkit.picture.Chronicle.Led;
import io.quorate.testkit.picture.Naming;
import io.quorate.testkit.picture.Newest;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Words;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/** Looks on at an {@link ElectionCluster}, after each thing that happens in it, and keeps what it saw. */
public final class ElectionRecorder {

    private static final String ELECTION = "the election";

    /** It is written out when somebody wants the recording: most tests pass. */
    private record Seen(int from, int to, long sent, long ended, Fate fate, Message message) {}

    private final ElectionCluster cluster;
    private final List<String> names;
    private final int first;
    private final long microsPerUnit;
    private final Words words;
    private final Chronicle chronicle;
    private final Newest<Seen> messages = new Newest<>(Recorder.MESSAGES_MAX);

    /**
     * Begins to look on.
     *
     * @param first         how the process with number 0 is written
     * @param microsPerUnit how long a unit of the cluster's time is drawn
     * @param words         of messages and states
     */
    public ElectionRecorder(ElectionCluster cluster, int first, long microsPerUnit, Words words) {
        this.cluster = cluster;
        this.words = words;
        this.first = first;
        this.names =
                IntStream.range(0, cluster.contenders()).mapToObj(this::name).toList();
        this.microsPerUnit = microsPerUnit;
        this.chronicle = new Chronicle(names, () -> cluster.now() * microsPerUnit, words);
        cluster.witness(this::onMessage, this::look);
    }

    /** From now on each step of a process is kept, with the state of its machine. */
    void watchSteps() {
        cluster.observe((process, event, effects) -> chronicle.step(
                name(process), event, this::name, cluster.election(process).snapshot()));
    }

    /** Something happened to the cluster. */
    public void mark(String text) {
        chronicle.mark(text);
    }

    private void onMessage(int from, int to, Message message, long sent, Fate fate) {
        // A witness has no line: it answers, and has no belief.
        if (Math.max(from, to) < names.size()) {
            messages.add(new Seen(from, to, sent, cluster.now(), fate, message));
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
            chronicle.believes(name, leader.isPresent() ? Optional.of(name(leader.getAsInt())) : Optional.empty());
        }
    }

    /** The recording up to now. Nothing is recorded afterwards. */
    public Recording recording(String title, String story) {
        look();
        cluster.witness((from, to, message, sent, fate) -> {}, () -> {});
        return chronicle.end(
                title, story, messages.all().stream().map(this::written).toList(), messages.forgotten());
    }

    private Recording.Message written(Seen seen) {
        Naming naming = words.of(seen.message);
        return new Recording.Message(
                name(seen.from),
                name(seen.to),
                seen.sent * microsPerUnit,
                seen.ended * microsPerUnit,
                seen.fate,
                naming.name(),
                naming.fields(),
                false);
    }

    /** Also of a process that there is not: a wrong algorithm may name it. */
    private String name(int process) {
        return "P" + (process + first);
    }
}
