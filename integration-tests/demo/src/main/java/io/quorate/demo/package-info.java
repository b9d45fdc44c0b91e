/**
 * The demo: several JVMs elect a leader, and it is killed, paused and closed while every answer that it gives is
 * recorded. {@link io.quorate.demo.Demo} is the script, {@link io.quorate.demo.DemoNode} the application that it runs;
 * {@link io.quorate.demo.Cluster} and {@link io.quorate.demo.RunHistory} also serve the tests with real JVMs.
 *
 * <p>All times are {@link System#nanoTime()}, which on Linux is one clock for all processes of a machine.
 */
package io.quorate.demo;
