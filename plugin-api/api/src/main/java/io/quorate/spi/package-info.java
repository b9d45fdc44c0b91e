/**
 * The author of an election algorithm ({@link io.quorate.spi.ElectionAlgorithm}) or of a transport ({@link
 * io.quorate.spi.TransportProvider}) implements these types or is given them; nothing else is here.
 *
 * <p>An algorithm only <em>nominates</em>. The quorum lease of {@code io.quorate.core}, which is the same for every
 * algorithm, decides whether a nominee may lead. Beside the JDK this package uses one that no module exports to others.
 */
@NullMarked
package io.quorate.spi;

import org.jspecify.annotations.NullMarked;
