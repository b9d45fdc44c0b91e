package io.quorate.badlayers;

/** Knows a file of its package that knows it. */
public interface Other {

    BadFacadeKnot.Inside inside();
}
