/**
 * The parts of clients, latches, selectors and observers. They know the states, values and listeners of {@code
 * io.quorate}, but none of its classes that an application starts.
 */
// Justification: io.quorate knows this package too. All classes that applications import stay in one package; no two
// files know each other.
package io.quorate.client;
