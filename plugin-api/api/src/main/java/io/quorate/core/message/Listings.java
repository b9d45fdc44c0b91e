package io.quorate.core.message;

import java.util.List;

/**
 * Changes of what the sender, a voter, lists on paths that the receiver contends on or watches.
 *
 * @param epoch of the sender's support for the receiver: with a new epoch, everything is listed anew
 */
public record Listings(Epoch epoch, long batch, List<Item> items) implements NodeMessage {
    public Listings {
        items = List.copyOf(items);
    }

    @Override
    public Sender sender() {
        return Sender.VOTER;
    }

    @Override
    public boolean isInRange() {
        for (Item item : items) {
            if (!item.isInRange()) {
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
