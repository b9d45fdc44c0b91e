/**
 * The parts of a node use the JVM that they share with an application in one way: daemon threads, waits with a bound,
 * lines of the log, files of settings, and the names in certificates. For the artifacts of this repository alone; it is no
 * promise. This package depends on nothing but the JDK and slf4j.
 */
@NullMarked
package io.quorate.jvm;

import org.jspecify.annotations.NullMarked;
