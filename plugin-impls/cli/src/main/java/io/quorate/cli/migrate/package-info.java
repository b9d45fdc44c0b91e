/**
 * The command {@code quorate migrate --check}: what is left to do by hand after the recipe. Document:
 * docs/command-line.md#migrate.
 *
 * <p>{@code Remainder} goes through a {@code SourceTree}. {@code JavaFile} and {@code TextFile} find each {@code
 * Place}, line by line and without types, and {@code Advice} has the steps. The recipe has marked the places in the
 * sources that need types.
 */
@NullMarked
package io.quorate.cli.migrate;

import org.jspecify.annotations.NullMarked;
