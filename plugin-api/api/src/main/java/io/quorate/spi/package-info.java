/**
 * The interfaces that a plug-in implements: of an election algorithm ({@link io.quorate.spi.ElectionAlgorithm}), of a
 * transport ({@link io.quorate.spi.TransportProvider}), of a clock and of a store for terms.
 *
 * <p>An algorithm only <em>nominates</em>. The quorum lease of {@code io.quorate.core}, which is the same for every
 * algorithm, decides whether a nominee may lead. This package depends on nothing but the JDK.
 */
@NullMarked
package io.quorate.spi;

import org.jspecify.annotations.NullMarked;
