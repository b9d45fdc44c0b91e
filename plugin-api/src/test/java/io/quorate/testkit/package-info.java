/**
 * What an author of an algorithm, or of an application, tests with: a cluster of the very nodes that run in production,
 * in virtual time and on a network under the test's control.
 */
package io.quorate.testkit;
