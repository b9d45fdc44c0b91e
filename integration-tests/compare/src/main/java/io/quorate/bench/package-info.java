/** Measurements: what a cluster costs. Never asserted, only printed. */
package io.quorate.bench;
