/**
 * Plug-ins that break every rule of {@code PluginArchitectureTest}: the proof that it can fail. Nothing runs this code.
 */
package io.quorate.badimpls;
