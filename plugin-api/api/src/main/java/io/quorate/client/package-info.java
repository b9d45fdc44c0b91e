/**
 * What clients, latches, selectors and observers are made of. It knows the states, values and listeners of {@code
 * io.quorate}, and nothing of that package that an application starts.
 */
// Justification: io.quorate knows this package too. What applications import stays in one package; no file is known by
// one that it knows.
package io.quorate.client;
