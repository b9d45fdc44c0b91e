/** What quorate-ops and the command line share to ask over HTTP. */
@NullMarked
package io.quorate.ops.web;

import org.jspecify.annotations.NullMarked;
