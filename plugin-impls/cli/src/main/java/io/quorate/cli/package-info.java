/**
 * The command line {@code quorate}. Document: docs/command-line.md.
 *
 * <p>{@code Quorate} has the table of all commands. Each command asks {@code Nodes} over HTTP, whose answers
 * {@code JsonObject} reads, and writes a {@code Table} or one {@code JsonLine}. {@code Changes} is what commands that
 * change something share. {@code VoterCommand} runs a node, {@code CheckCommand} reads
 * settings, and {@code MigrateCommand} lists what a move from Curator leaves.
 */
@NullMarked
package io.quorate.cli;

import org.jspecify.annotations.NullMarked;
