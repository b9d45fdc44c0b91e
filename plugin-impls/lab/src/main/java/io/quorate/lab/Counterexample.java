package io.quorate.lab;

import io.quorate.testkit.model.ModelChecker.Moment;
import io.quorate.testkit.model.ModelChecker.Sent;
import io.quorate.testkit.model.ModelChecker.Violation;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.model.Step;
import io.quorate.testkit.model.Step.What;
import io.quorate.testkit.picture.Chronicle;
import io.quorate.testkit.picture.Chronicle.Led;
import io.quorate.testkit.picture.Naming;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Step.Kind;
import io.quorate.testkit.picture.Words;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/** The run that breaks a property, as a recording. A check knows no time: each step takes a millisecond. */
final class Counterexample {

    private static final long STEP_MICROS = 1000;
    private static final String ELECTION = "the election";
    private static final Set<What> VISIBLE =
            EnumSet.of(What.RECEIVED, What.LOST, What.STARTED, What.RESTARTED, What.CRASHED);

    private record Flying(Sent message, long since) {}

    private final int size;
    private final Words words;
    private final Chronicle chronicle;
    private final List<Flying> flying = new ArrayList<>();
    private final List<Recording.Message> messages = new ArrayList<>();
    private long now;

    private Counterexample(int size, Words words) {
        this.size = size;
        this.words = words;
        chronicle = new Chronicle(
                IntStream.range(0, size).mapToObj(Counterexample::name).toList(), () -> now, words);
    }

    /** The recorded run, until one step after the property was broken. */
    static Recording recording(Violation violation, Words words, String title, String story) {
        return new Counterexample(violation.first().size(), words).record(violation, title, story);
    }

    private Recording record(Violation violation, String title, String story) {
        World world = violation.first();
        look(world);
        for (int index = 0; index < world.messages(); index++) {
            flying.add(new Flying(world.message(index), now));
        }
        for (Moment moment : violation.run()) {
            now += STEP_MICROS;
            take(moment.step());
            lookAtStates(moment.step().words(), world, moment.after());
            world = moment.after();
            look(world);
            dropToTheDead(world);
        }
        // Apart from what the last step says.
        now += STEP_MICROS / 2;
        chronicle.mark(violation.property() + " IS BROKEN" + takingPart(world));
        now += STEP_MICROS / 2;
        flying.forEach(left -> end(left, Fate.ON_ITS_WAY, now));
        return chronicle.end(title, story, messages, 0);
    }

    private void take(Step step) {
        // The others show by themselves: as an arrow, or as a line that begins or ends.
        if (!VISIBLE.contains(step.what())) {
            chronicle.mark(step.words());
        }
        step.message().ifPresent(message -> {
            Flying oldest = oldest(message);
            end(oldest, step.what() == What.LOST ? Fate.LOST : Fate.ARRIVED, now);
            if (step.what() != What.COPIED) {
                flying.remove(oldest);
            }
        });
        step.sent().forEach(sent -> flying.add(new Flying(sent, now)));
    }

    private void lookAtStates(String words, World before, World after) {
        for (int process = 0; process < size; process++) {
            boolean isAlive = after.isAlive(process);
            if (isAlive && !(before.isAlive(process) && before.state(process).equals(after.state(process)))) {
                chronicle.step(name(process), Kind.MESSAGE, words, after.state(process));
            }
        }
    }

    private Flying oldest(Sent message) {
        return flying.stream()
                .filter(one -> one.message.equals(message))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(message + ": is not on its way"));
    }

    private void look(World world) {
        for (int process = 0; process < size; process++) {
            boolean isAlive = world.isAlive(process);
            Optional<String> leader = isAlive && world.leader(process).isPresent()
                    ? Optional.of(name(world.leader(process).getAsInt()))
                    : Optional.empty();
            boolean leads = leader.equals(Optional.of(name(process)));
            chronicle.lives(name(process), isAlive, false);
            chronicle.leads(name(process), leads ? Set.of(new Led(ELECTION, OptionalLong.empty())) : Set.of());
            chronicle.believes(name(process), leader);
        }
    }

    /** Messages in flight to a process that does not run are lost. */
    private void dropToTheDead(World world) {
        for (Flying one : List.copyOf(flying)) {
            if (!world.isAlive(one.message.to())) {
                end(one, Fate.MISSED, one.since == now ? now + STEP_MICROS / 2 : now);
                flying.remove(one);
            }
        }
    }

    private void end(Flying ended, Fate fate, long at) {
        Naming naming = words.of(ended.message.message());
        messages.add(new Recording.Message(
                name(ended.message.from()),
                name(ended.message.to()),
                ended.since,
                at,
                fate,
                naming.name(),
                naming.fields(),
                false));
    }

    private String takingPart(World world) {
        List<String> all = IntStream.range(0, size)
                .filter(process -> world.isAlive(process) && world.isParticipating(process))
                .mapToObj(Counterexample::name)
                .toList();
        return all.isEmpty() ? "" : ", with " + String.join(", ", all) + " in an election";
    }

    private static String name(int process) {
        return "P" + process;
    }
}
