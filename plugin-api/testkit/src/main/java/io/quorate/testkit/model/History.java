package io.quorate.testkit.model;

import io.quorate.spi.Effect;
import io.quorate.spi.WireWriter;

/** What a check remembers of the effects of one process: a history variable of TLA+, kept over all its lives. */
public interface History {

    /** Nothing is remembered. */
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

    /** The history with one more effect. */
    History after(Effect effect);

    /** The history when the process starts anew. */
    default History afterRestart() {
        return this;
    }

    /** Different histories must be written differently. */
    void writeTo(WireWriter out);
}
