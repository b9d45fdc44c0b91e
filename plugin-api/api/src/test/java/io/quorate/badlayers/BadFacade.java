package io.quorate.badlayers;

/** What the layers below must not know. */
public final class BadFacade {}
