package io.quorate.testkit.model;

import io.quorate.testkit.model.ModelChecker.Moment;
import io.quorate.testkit.model.ModelChecker.World;
import java.util.ArrayList;
import java.util.List;

/** The states of a check one after another, for a caller that chooses which of them to look at. */
public final class Exploration {

    private final Successors successors;

    /** Begins an exploration within the budgets of the check; its properties are not asked. */
    public Exploration(ModelChecker model) {
        successors = new Successors(model, new LocalStates(model));
    }

    /** The world at first. */
    public World first() {
        return successors.view(successors.initial());
    }

    /** Everything that can happen next, in a fixed order. */
    public List<Moment> next(World from) {
        List<Moment> moments = new ArrayList<>();
        successors.expand(
                ((StateView) from).state(),
                (state, isFault, step) -> moments.add(new Moment(step.get(), isFault, successors.view(state))));
        return moments;
    }

    /** Tells worlds apart, as the check does. */
    public long fingerprint(World world) {
        return successors.fingerprint(((StateView) world).state());
    }
}
