package io.quorate;

/**
 * How far a node has moved from its {@code Companion} to Quorate on one path: docs/migration.md#stages.
 *
 * @param name        {@code shadow}, {@code tandem}, or {@code Quorate alone}
 * @param isOneOfTwo  whether one of the two sides leads here and the other one does not, at the moment of the question.
 *                    If that lasts at a tandem, nobody leads
 * @param differences how often the two sides have differed, as {@code TandemLatch} says; 0 but for a shadow
 */
public record Stage(String name, boolean isOneOfTwo, long differences) {

    @Override
    public String toString() {
        return name
                + (isOneOfTwo ? "; one of its two sides leads" : "")
                + (differences == 0 ? "" : "; its sides have differed " + differences + " times");
    }
}
