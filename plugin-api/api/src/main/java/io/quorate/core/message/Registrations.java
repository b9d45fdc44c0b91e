package io.quorate.core.message;

import java.util.List;

/**
 * Changes of the sender's own contenders and watched paths; acknowledged by number.
 *
 * @param epoch of the receiver's support for the sender: with a new epoch, everything is reported anew
 */
public record Registrations(Epoch epoch, long batch, List<Change> changes) implements NodeMessage {
    public Registrations {
        changes = List.copyOf(changes);
    }

    @Override
    public boolean isInRange() {
        for (Change change : changes) {
            if (!change.isInRange()) {
                return false;
            }
        }
        return Ranges.isEpoch(epoch) && Ranges.isNumber(batch);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
