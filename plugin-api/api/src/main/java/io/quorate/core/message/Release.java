package io.quorate.core.message;

import java.util.Optional;

/**
 * The sender's contender gives back what it holds in terms up to this one.
 *
 * @param successor who gets the vote at once, as if its claim had come
 */
public record Release(String path, long number, long term, Optional<Successor> successor) implements NodeMessage {
    @Override
    public boolean isInRange() {
        return Ranges.isNumber(number)
                && Ranges.isNumber(term)
                && (successor.isEmpty()
                        || Ranges.isContender(successor.get().claimer())
                                && Ranges.isNumber(successor.get().term()));
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
