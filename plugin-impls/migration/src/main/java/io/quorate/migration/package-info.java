/**
 * The recipe that moves elections from Apache Curator: docs/migration.md#the-recipe.
 *
 * <p>{@link io.quorate.migration.MigrateFromCurator} reads all files before it changes one. A {@code FlowScanner} adds
 * to {@code Flows} from which {@code Place} to which other one values of shared types go, such as clients; {@code
 * Places} finds them. A value that reaches data in ZooKeeper stays with Curator, and one that reaches an election
 * becomes Quorate's. A {@code Rewriter} then changes names, and {@code Marks} writes a comment where the two meet.
 */
@NullMarked
package io.quorate.migration;

import org.jspecify.annotations.NullMarked;
