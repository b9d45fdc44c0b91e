package io.quorate.badlayers;

/** Knows a file of its package that knows it. */
public record BadFacadeKnot(Other other) {

    /** Who knows a type inside a file knows the file. */
    public record Inside() {}
}
