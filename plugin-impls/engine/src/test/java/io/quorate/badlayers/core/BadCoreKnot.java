package io.quorate.badlayers.core;

/** Knows a file of its package that knows it. */
public record BadCoreKnot(Other other) {

    /** Who knows a type inside a file knows the file. */
    public record Inside() {}
}
