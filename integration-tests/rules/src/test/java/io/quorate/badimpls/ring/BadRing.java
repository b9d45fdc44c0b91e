package io.quorate.badimpls.ring;

/** What an algorithm that has no ring must not know. */
public record BadRing(int successor) {}
