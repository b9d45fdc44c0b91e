package io.quorate.badlayers.core;

/** Knows a file of its package that knows it. */
public record BadCoreKnot(Other other) {

    /** What a type inside a file knows, the file knows. */
    public record Inside(Other other) {
    }
}
