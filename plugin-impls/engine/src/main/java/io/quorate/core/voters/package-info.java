/** Who votes: numbered voter lists, and what one voter has promised about the next (docs/reconfiguration.md). */
package io.quorate.core.voters;
