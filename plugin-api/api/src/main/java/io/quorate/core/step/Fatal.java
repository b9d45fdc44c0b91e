package io.quorate.core.step;

/** What no part of a node can be asked to survive, whoever has thrown it. */
public final class Fatal {

    private Fatal() {}

    /**
     * Passes on a {@link VirtualMachineError}, such as a full heap: nobody knows then what was done, and the next
     * allocation may fail as well. Whatever else code of others throws is its own trouble, also what Java does not let it
     * declare: Kotlin knows no checked exceptions, and generics hide them.
     *
     * @throws VirtualMachineError if it is one and no {@link StackOverflowError}, which ends where the recursion began
     */
    public static void throwIfFatal(Throwable e) {
        if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {
            throw fatal;
        }
    }
}
