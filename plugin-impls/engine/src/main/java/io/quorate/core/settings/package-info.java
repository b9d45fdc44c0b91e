/**
 * What a node is told at its start, and the digest by which nodes notice that they were told different things; and
 * below all that is written, the binary form of lists and of what may be absent.
 */
package io.quorate.core.settings;
