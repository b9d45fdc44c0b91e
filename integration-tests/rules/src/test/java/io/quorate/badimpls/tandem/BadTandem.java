package io.quorate.badimpls.tandem;

import io.quorate.core.Node;

/** Knows what is behind the seam. */
public record BadTandem(Node node) {}
