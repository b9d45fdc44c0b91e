/** Late writes of leaders that were stopped, on real processes: docs/fencing.md. */
package io.quorate.fencing;
