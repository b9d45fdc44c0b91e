package io.quorate.badimpls.two;

/** What another algorithm must not know. */
public record OtherAlgorithm(int state) {}
