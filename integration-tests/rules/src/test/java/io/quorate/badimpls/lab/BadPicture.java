package io.quorate.badimpls.lab;

import io.quorate.ElectionClient;

/** Knows the facade. */
public record BadPicture(ElectionClient client) {}
