package io.quorate.cli;

import java.util.Optional;

/**
 * A latch, as a node names it.
 *
 * @param id   as the application has chosen it; may be empty
 * @param node the id of its node
 */
record LatchId(String id, String node) {

    static LatchId of(JsonObject object) throws NoAnswer {
        return new LatchId(object.text("id"), object.text("node"));
    }

    /** The latch in this field; empty if it is null or missing. */
    static Optional<LatchId> in(JsonObject object, String field) throws NoAnswer {
        Optional<JsonObject> found = object.optionalObject(field);
        return found.isEmpty() ? Optional.empty() : Optional.of(of(found.get()));
    }

    /** For people. */
    @Override
    public String toString() {
        return id.isEmpty() || id.equals(node) ? Shown.of(node) : Shown.of(id) + " on " + Shown.of(node);
    }
}
