package io.quorate.cli;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Where somebody reads what is written, and can answer. */
interface Terminal {

    /** The one that this process was started from, if it was. */
    // Justification: before JDK 22 there is no console without a terminal, and since then isTerminal tells.
    @SuppressWarnings("SystemConsoleNull")
    Terminal OF_PROCESS = new Terminal() {
        @Override
        public boolean isThere() {
            Console console = System.console();
            return console != null && isTerminal(console);
        }

        @Override
        public @Nullable String ask(String question) {
            Console console = System.console();
            return console == null ? null : console.readLine("%s", question);
        }
    };

    /** Ends what {@link #onInterrupt} has begun. */
    @FunctionalInterface
    interface Stopping {
        void end();
    }

    /** Whether input and output both are a terminal. */
    boolean isThere();

    /**
     * Asks, and waits for a line.
     *
     * @return null if there is none
     */
    @Nullable
    String ask(String question);

    /**
     * Runs this when somebody stops the command by Ctrl-C, or the process is asked to end. The process waits with its
     * end until the command calls what is answered.
     */
    default Stopping onInterrupt(Runnable stop) {
        CountDownLatch isDone = new CountDownLatch(1);
        Thread hook = new Thread(
                () -> {
                    stop.run();
                    try {
                        isDone.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "quorate-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        return () -> {
            isDone.countDown();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process ends already, and waited for this.
            }
        };
    }

    /** Only since JDK 22 a console can be asked, and needs to be. */
    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new LinkageError("Console.isTerminal", e);
        }
    }
}
