package io.quorate.core.path;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Which contenders of this node rank last because its application wants that, or fails as leader: ADR-0084. */
final class LastRank {

    /** One contender ranks last until this instant of the node's clock. */
    private record Pause(long until, String reason) {}

    private Optional<String> reasonOfAll = Optional.empty();
    private final Map<LocalContender, Pause> pauses = new LinkedHashMap<>();

    /** All contenders rank last, and why; or only those that pause. Answers whether that is a change for some. */
    boolean setAll(Optional<String> reason) {
        boolean isChange = reason.isPresent() != reasonOfAll.isPresent();
        reasonOfAll = reason;
        return isChange;
    }

    /** The contender ranks last until then. */
    void pause(LocalContender contender, long until, String reason) {
        pauses.put(contender, new Pause(until, reason));
    }

    /** The contender ranks last no longer for itself, if that was so until then or earlier, and not for longer. */
    void resume(LocalContender contender, long until) {
        Pause pause = pauses.get(contender);
        if (pause != null && pause.until - until <= 0) {
            pauses.remove(contender);
        }
    }

    /** The contender has left. */
    void forget(LocalContender contender) {
        pauses.remove(contender);
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
                .map(pause -> pause.reason + ", for " + (pause.until - now) / 1_000_000 + " ms more"));
    }
}
