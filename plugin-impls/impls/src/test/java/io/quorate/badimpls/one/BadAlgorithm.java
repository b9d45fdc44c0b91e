package io.quorate.badimpls.one;

import io.quorate.badimpls.two.OtherAlgorithm;
import io.vertx.core.Vertx;

/** Knows another algorithm, and Vert.x. */
public record BadAlgorithm(OtherAlgorithm other, Vertx vertx) {
}
