/**
 * Who contends on each path. {@link io.quorate.core.directory.DirectoryClient} tells the voters of this node's
 * contenders, {@link io.quorate.core.directory.ContenderDirectory} is what a voter keeps and tells,
 * {@link io.quorate.core.directory.VoterListings} is what a node was told. It knows nothing of votes.
 */
package io.quorate.core.directory;
