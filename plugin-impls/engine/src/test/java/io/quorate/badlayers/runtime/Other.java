package io.quorate.badlayers.runtime;

/** Knows a file of its package that knows it. */
public interface Other {

    BadRuntimeKnot.Inside inside();
}
