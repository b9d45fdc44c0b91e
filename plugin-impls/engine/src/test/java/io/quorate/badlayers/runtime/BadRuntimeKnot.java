package io.quorate.badlayers.runtime;

/** Knows a file of its package that knows it. */
public record BadRuntimeKnot(Other other) {

    /** Who knows a type inside a file knows the file. */
    public record Inside() {}
}
