/** Who leads next, at the level of latches and selectors, with every algorithm. */
package io.quorate.ranks;
