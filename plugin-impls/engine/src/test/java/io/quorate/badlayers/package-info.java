/** Layers that break every rule of {@code ArchitectureTest}: the proof that it can fail. Nothing runs this code. */
package io.quorate.badlayers;
