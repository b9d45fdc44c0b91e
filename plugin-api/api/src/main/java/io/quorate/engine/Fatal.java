package io.quorate.engine;

/** Errors that no part of a node can survive. */
public final class Fatal {

    private Fatal() {}

    /**
     * Passes on a {@link VirtualMachineError}, such as a full heap: nobody knows then what was done, and the next
     * allocation may fail as well. All other errors of foreign code end that call alone, undeclared checked exceptions
     * too: Kotlin knows no checked exceptions, and generics hide them.
     *
     * @throws VirtualMachineError if it is one and no {@link StackOverflowError}, which ends where the recursion began
     */
    public static void throwIfFatal(Throwable e) {
        if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {
            throw fatal;
        }
    }
}
