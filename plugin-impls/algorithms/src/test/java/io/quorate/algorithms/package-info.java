/**
 * What the tests of all algorithms share: one machine or a whole cluster in virtual time, the notation of the golden
 * traces, recorded scenarios, random runs, and checks of codecs and snapshots. Everything follows from one seed.
 */
package io.quorate.algorithms;
