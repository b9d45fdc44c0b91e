/**
 * What a plug-in implements: an election algorithm ({@link io.quorate.spi.ElectionAlgorithm}), a transport
 * ({@link io.quorate.spi.TransportProvider}), a clock and a store for terms.
 *
 * <p>An algorithm only <em>nominates</em>; whether a nominee may lead is decided by the quorum lease of
 * {@code io.quorate.core}, which is the same for every algorithm. This package depends on nothing but the JDK.
 */
package io.quorate.spi;
