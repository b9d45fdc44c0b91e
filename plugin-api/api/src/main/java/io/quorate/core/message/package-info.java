/**
 * What nodes say to each other: one record per message, and the ids and epochs in them.
 * {@link io.quorate.core.message.NodeMessage} has the table of all messages.
 */
package io.quorate.core.message;
