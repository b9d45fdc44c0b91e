/** Work that adapters keep to one node, moved from node to node with default settings. */
package io.quorate.adapters;
