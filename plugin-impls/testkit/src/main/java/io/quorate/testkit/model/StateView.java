package io.quorate.testkit.model;

import io.quorate.spi.Election;
import java.util.List;
import java.util.OptionalInt;

/** A state of a {@link StateSpace}, as properties see it. */
final class StateView implements ModelChecker.World {

    private final LocalStates locals;
    private final int size;
    private final int header;
    private final int[] state;
    private final boolean isQuiet;

    StateView(LocalStates locals, int size, int header, int[] state, boolean isQuiet) {
        this.locals = locals;
        this.size = size;
        this.header = header;
        this.state = state;
        this.isQuiet = isQuiet;
    }

    int[] state() {
        return state;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean isAlive(int process) {
        // An algorithm may take one for the leader that is not there.
        return 0 <= process && process < size && locals.local(state[process]).isAlive();
    }

    @Override
    public OptionalInt leader(int process) {
        return locals.local(state[process]).leader();
    }

    @Override
    public boolean isParticipating(int process) {
        return locals.local(state[process]).isParticipating();
    }

    @Override
    public int incarnation(int process) {
        return locals.local(state[process]).life().incarnation();
    }

    @Override
    public Election.State state(int process) {
        return locals.local(state[process]).machine();
    }

    @Override
    public List<String> timers(int process) {
        return locals.local(state[process]).timers().stream()
                .map(timer -> locals.timerName(timer.number()))
                .toList();
    }

    @Override
    public boolean suspects(int process, int other) {
        return locals.local(state[process]).suspects(other);
    }

    @Override
    public History history(int process) {
        return locals.local(state[process]).life().history();
    }

    @Override
    public int messages() {
        return state.length - header;
    }

    @Override
    public ModelChecker.Sent message(int index) {
        return locals.message(state[header + index]);
    }

    @Override
    public boolean isQuiet() {
        return isQuiet;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int process = 0; process < size; process++) {
            String leader =
                    leader(process).isPresent() ? String.valueOf(leader(process).getAsInt()) : "-";
            text.append(" P")
                    .append(process)
                    .append(isAlive(process) ? ":" + leader + (isParticipating(process) ? "*" : "") : ":down");
        }
        return text.append(", ").append(messages()).append(" on their way").toString();
    }
}
