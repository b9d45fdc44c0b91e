package io.quorate.core.path;

import io.quorate.core.step.StepContext;
import org.jspecify.annotations.Nullable;

/**
 * A question to the holder of this node's own vote, which is not answered yet.
 *
 * @param doublings how often the pause behind it was doubled
 * @param againAt   when it is repeated
 */
record HolderQuestion(int doublings, long againAt) {

    /** The pause behind a question is doubled so often, up to a support time. */
    private static final int DOUBLINGS_MAX = 3;

    /**
     * Asks now.
     *
     * @param former null if it is asked for the first time. A holder that has not answered may be busy with thousands
     *               of such questions (ADR-0077), and is asked less often
     */
    static HolderQuestion after(@Nullable HolderQuestion former, StepContext context) {
        int doublings = former == null ? 0 : Math.min(former.doublings + 1, DOUBLINGS_MAX);
        long pause = Math.min(
                context.settings().lease().heartbeat() << doublings,
                context.settings().lease().support());
        return new HolderQuestion(doublings, context.now() + pause);
    }
}
