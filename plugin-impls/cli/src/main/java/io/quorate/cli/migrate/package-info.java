/**
 * The command {@code quorate migrate}: carries Java sources over from Curator. Document: docs/migration.md#the-recipe.
 *
 * <p>{@code Migration} goes through a {@code SourceTree}. Of each Java file {@code JavaTokens} are read, and a {@code
 * JavaSource} says what becomes of it: imports, qualified names, the two types that have another name, and each {@code
 * Place} that somebody has to look at. {@code CuratorTypes} has the table of types, and {@code Advice} has what to do
 * about the rest. No more than tokens is looked at, so nothing has to be on a class path, and a JRE is enough.
 */
@NullMarked
package io.quorate.cli.migrate;

import org.jspecify.annotations.NullMarked;
