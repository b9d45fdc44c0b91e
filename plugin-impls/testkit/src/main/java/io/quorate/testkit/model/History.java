package io.quorate.testkit.model;

import io.quorate.spi.Effect;
import io.quorate.spi.WireWriter;

/**
 * A history variable of TLA+: the effects of one process that a check remembers, over all lives of the process.
 * Immutable.
 */
public interface History {

    /** Remembers nothing. */
    History NONE = new History() {
        @Override
        public History after(Effect effect) {
            return this;
        }

        @Override
        public void writeTo(WireWriter out) {
            // There is nothing.
        }
    };

    /**
     * Adds an effect.
     *
     * @param effect an effect of the process
     * @return the history with this effect
     */
    History after(Effect effect);

    /** {@return the history when the process starts a new life; by default it does not change} */
    default History afterRestart() {
        return this;
    }

    /**
     * Writes the history, so that different histories give different bytes.
     *
     * @param out takes the bytes
     */
    void writeTo(WireWriter out);
}
