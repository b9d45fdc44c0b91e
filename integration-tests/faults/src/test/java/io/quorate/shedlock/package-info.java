/** The lock provider on real nodes: ShedLock's own tests of a provider, and JVMs whose holder is killed. */
package io.quorate.shedlock;
