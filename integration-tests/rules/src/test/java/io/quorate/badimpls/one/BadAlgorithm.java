package io.quorate.badimpls.one;

import io.quorate.badimpls.ring.BadRing;
import io.quorate.badimpls.two.OtherAlgorithm;
import io.vertx.core.Vertx;

/** Knows another algorithm, the frame of the rings, and Vert.x. */
public record BadAlgorithm(OtherAlgorithm other, BadRing ring, Vertx vertx) {}
