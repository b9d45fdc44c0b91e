package io.quorate.badlayers.core;

/** Knows a file of its package that knows it. */
public interface Other {

    BadCoreKnot.Inside inside();
}
