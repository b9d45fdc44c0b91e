package io.quorate.cli.migrate;

/**
 * A place that is left to somebody.
 *
 * @param line   from 1; 0 for the whole file
 * @param what   as it stands there
 * @param advice what to do
 */
record Place(int line, String what, String advice) {}
