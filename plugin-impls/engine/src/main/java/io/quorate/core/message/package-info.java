/**
 * What nodes say to each other: one record per message, in one file per layer, and the ids and epochs in them.
 * {@link io.quorate.core.message.NodeMessage.Kind} is the table of all messages.
 */
package io.quorate.core.message;
