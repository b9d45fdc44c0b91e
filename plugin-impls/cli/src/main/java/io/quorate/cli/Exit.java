package io.quorate.cli;

/** The exit codes. docs/command-line.md#exit-codes says what each means for each command. */
final class Exit {

    /** Yes: healthy, somebody leads, it is done. */
    static final int YES = 0;

    /** No: degraded, nobody leads, it is not done. */
    static final int NO = 1;

    /** There is nobody who could tell. */
    static final int NOBODY = 2;

    /** Wrong arguments or settings, as EX_USAGE of sysexits.h: no outage must look like a slip of the pen. */
    static final int USAGE = 64;

    /** A fault of this program, as EX_SOFTWARE of sysexits.h. */
    static final int INTERNAL = 70;

    private Exit() {}
}
