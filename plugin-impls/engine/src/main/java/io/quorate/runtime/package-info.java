/**
 * The only package with threads: the driver that runs a node in real time, the dispatcher of callbacks, the binary form
 * of the messages, the envelope that they travel in, the term stores, and the look-up of plug-ins.
 */
package io.quorate.runtime;
