/** What a node is told at its start, and the digest by which nodes notice that they were told different things. */
package io.quorate.core.settings;
