/**
 * Who contends on each path. {@link io.quorate.core.directory.Registrar} tells the voters of this node's contenders,
 * {@link io.quorate.core.directory.Roster} is what a voter keeps and tells,
 * {@link io.quorate.core.directory.PathListings} is what a node was told. It knows nothing of votes.
 */
package io.quorate.core.directory;
