package io.quorate.core.path;

import io.quorate.core.step.Timers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The contenders of this node that rank last, because its application wants that or fails as leader: ADR-0084. */
final class LastRank {

    /** Why one contender ranks last, until its timer is due. */
    private record Spell(String reason, Timers.Handle end) {}

    private Optional<String> reasonOfAll = Optional.empty();
    private final Map<LocalContender, Spell> spells = new LinkedHashMap<>();

    /**
     * Sets whether all contenders rank last, and why; otherwise only those with a reason of their own do. Answers
     * whether any rank may change with that: another reason alone changes none.
     */
    boolean setAll(Optional<String> reason) {
        boolean isChange = reason.isPresent() != reasonOfAll.isPresent();
        reasonOfAll = reason;
        return isChange;
    }

    /** The contender ranks last until this timer is due, and until no other that was set before. */
    void add(LocalContender contender, String reason, Timers.Handle end) {
        remove(contender);
        spells.put(contender, new Spell(reason, end));
    }

    /** The contender ranks last no longer for itself, or has left. */
    void remove(LocalContender contender) {
        Spell spell = spells.remove(contender);
        if (spell != null) {
            spell.end.cancel();
        }
    }

    /** Whether no contender ranks last. */
    boolean isNobodys() {
        return reasonOfAll.isEmpty() && spells.isEmpty();
    }

    /** Whether the contender ranks last. */
    boolean isOf(LocalContender contender) {
        return reasonOfAll.isPresent() || spells.containsKey(contender);
    }

    /** Why the contender ranks last; empty if it ranks as usual. */
    Optional<String> reason(LocalContender contender, long now) {
        return reasonOfAll.or(() -> Optional.ofNullable(spells.get(contender))
                .map(spell -> spell.reason + ", for " + (spell.end.deadline() - now) / 1_000_000 + " ms more"));
    }
}
