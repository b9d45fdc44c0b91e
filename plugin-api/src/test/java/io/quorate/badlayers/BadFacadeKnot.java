package io.quorate.badlayers;

/** Knows a file of its package that knows it. */
public record BadFacadeKnot(Other other) {

    /** What a type inside a file knows, the file knows. */
    public record Inside(Other other) {
    }
}
