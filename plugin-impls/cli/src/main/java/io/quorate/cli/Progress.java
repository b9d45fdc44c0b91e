package io.quorate.cli;

import java.io.PrintWriter;
import java.time.Duration;

/** Says on a terminal that a command waits, and for how long it has. */
final class Progress implements Runnable {

    private final Terminal terminal;
    private final PrintWriter err;
    private final String what;
    private final long begin = System.nanoTime();
    private boolean isShown;

    /** @param what is waited for */
    Progress(Terminal terminal, PrintWriter err, String what) {
        this.terminal = terminal;
        this.err = err;
        this.what = what;
    }

    Duration waited() {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @Override
    public void run() {
        if (terminal.isThere()) {
            err.print("\rwaiting for " + what + ": " + waited().toSeconds() + " s");
            err.flush();
            isShown = true;
        }
    }

    void end() {
        if (isShown) {
            err.println();
            isShown = false;
        }
    }
}
