/** JVMs that the demo, the tests and the measurements start, kill and pause. */
package io.quorate.process;
