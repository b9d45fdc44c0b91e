/** Singleton verticles on real nodes, which hand over, are cut off and are killed. */
package io.quorate.vertx;
