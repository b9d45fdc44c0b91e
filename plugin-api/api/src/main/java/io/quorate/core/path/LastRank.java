package io.quorate.core.path;

import io.quorate.core.step.Timers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Which contenders of this node rank last because its application wants that, or fails as leader: ADR-0084. */
final class LastRank {

    /** One contender ranks last until its timer is due. */
    private record Pause(String reason, Timers.Handle end) {}

    private Optional<String> reasonOfAll = Optional.empty();
    private final Map<LocalContender, Pause> pauses = new LinkedHashMap<>();

    /** All contenders rank last, and why; or only those that pause. Answers whether that is a change for some. */
    boolean setAll(Optional<String> reason) {
        boolean isChange = reason.isPresent() != reasonOfAll.isPresent();
        reasonOfAll = reason;
        return isChange;
    }

    /** The contender ranks last until this timer is due, and until no other that was set before. */
    void pause(LocalContender contender, String reason, Timers.Handle end) {
        resume(contender);
        pauses.put(contender, new Pause(reason, end));
    }

    /** The contender ranks last no longer for itself, or has left. */
    void resume(LocalContender contender) {
        Pause pause = pauses.remove(contender);
        if (pause != null) {
            pause.end.cancel();
        }
    }

    /** Whether no contender ranks last. */
    boolean isNobodys() {
        return reasonOfAll.isEmpty() && pauses.isEmpty();
    }

    boolean isOf(LocalContender contender) {
        return reasonOfAll.isPresent() || pauses.containsKey(contender);
    }

    /** Why the contender ranks last; empty if it ranks as usual. */
    Optional<String> reason(LocalContender contender, long now) {
        return reasonOfAll.or(() -> Optional.ofNullable(pauses.get(contender))
                .map(pause -> pause.reason + ", for " + (pause.end.deadline() - now) / 1_000_000 + " ms more"));
    }
}
