/** Callbacks that block, and tokens that outlive a leadership: in virtual time, on latches and selectors. */
package io.quorate.callbacks;
