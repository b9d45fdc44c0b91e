/**
 * The model checker: drives the machine of an algorithm through every order of events, with losses, crashes and
 * restarts, and compares each state with properties. It knows no node, no lease and no time.
 */
package io.quorate.testkit.model;
