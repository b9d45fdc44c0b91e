package io.quorate.client;

import io.quorate.Stage;
import io.quorate.engine.Engine;
import io.quorate.engine.PathView;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * A plain contender that is off its path while a tandem or a shadow of the path runs: docs/migration.md#the-guard. It
 * watches the path on which these stand, and joins its own when it has seen that nobody is there.
 */
final class GuardedCandidacy extends ConditionalCandidacy {

    /** For plain contenders of a client that moves. */
    static final LeadCondition CONDITION = new LeadCondition() {
        @Override
        public Engine.Candidacy contend(
                Engine engine, String path, String id, Engine.ContenderListener listener, Executor executor) {
            GuardedCandidacy guarded = new GuardedCandidacy(engine, path, id, listener, executor);
            engine.observe(guarded.stages, guarded.watch);
            return guarded;
        }

        @Override
        public Optional<Stage> stage() {
            return Optional.of(new Stage("Quorate alone", false, 0));
        }
    };

    private final Engine engine;
    private final String stages;
    private final Engine.ViewListener watch = view -> set(standing(view));

    private GuardedCandidacy(
            Engine engine, String path, String id, Engine.ContenderListener listener, Executor executor) {
        super(
                stay -> engine.contend(path, id, stay),
                listener,
                executor,
                CONDITION,
                "it has not heard yet whether tandems or shadows of the path run");
        this.engine = engine;
        this.stages = Paths.stages(path);
    }

    @Override
    public void leave() {
        super.leave();
        engine.unobserve(stages, watch);
        engine.unwatch(stages);
    }

    private static String standing(PathView view) {
        return view.contenders().isEmpty()
                ? ""
                : view.contenders().stream()
                        .map(PathView.Entry::name)
                        .collect(Collectors.joining(
                                ", ", "these run as tandems or shadows, and lead by the old side too: ", ""));
    }
}
