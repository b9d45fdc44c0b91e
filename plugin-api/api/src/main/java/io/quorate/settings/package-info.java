/**
 * How the settings of a node are read: the names that they have in properties and in the environment, what their texts
 * say, and the files of the secret and of TLS. {@code ElectionSettings} takes what is read.
 */
package io.quorate.settings;
