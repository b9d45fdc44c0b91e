/**
 * An application moves to Quorate step by step. A {@link io.quorate.tandem.TandemLatch} leads if both Quorate and the
 * election that the application used before do, which is its {@link io.quorate.tandem.Companion}.
 */
@NullMarked
package io.quorate.tandem;

import org.jspecify.annotations.NullMarked;
