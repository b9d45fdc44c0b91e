/** The methods of a path that run. Not for applications. */
@NullMarked
package io.quorate.leaderonly.work;

import org.jspecify.annotations.NullMarked;
