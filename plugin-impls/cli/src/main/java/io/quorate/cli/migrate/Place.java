package io.quorate.cli.migrate;

import io.quorate.jvm.Printable;

/**
 * A place that is left to do by hand.
 *
 * @param line   from 1; 0 for the whole file
 * @param what   as it stands there; its beginning if it is long
 * @param advice what to do
 */
record Place(int line, String what, String advice) {

    /** A line of a file may have any length, and what to do stands behind it. */
    private static final int WHAT_MAX = 200;

    Place {
        what = Printable.of(what, WHAT_MAX);
    }
}
