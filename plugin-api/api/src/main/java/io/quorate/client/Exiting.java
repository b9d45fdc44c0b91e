package io.quorate.client;

import java.util.Arrays;
import java.util.Map;

/**
 * Callbacks that end the JVM. A listener that calls {@link System#exit} does not return from it, because that call waits for the shutdown hooks, and a hook that closes a client must not wait for the listener.
 */
final class Exiting {

    private Exiting() {}

    /** Returns how many listeners of latches are inside {@link Runtime#exit}; 0 unless the JVM ends. */
    static long listeners() {
        return isJvmEnding()
                ? Thread.getAllStackTraces().entrySet().stream()
                        .filter(Exiting::isListener)
                        .count()
                : 0;
    }

    private static boolean isListener(Map.Entry<Thread, StackTraceElement[]> thread) {
        StackTraceElement[] stack = thread.getValue();
        return isIn(stack, Runtime.class.getName(), "exit")
                && Arrays.stream(stack).anyMatch(each -> each.getClassName().startsWith(ListenerSet.class.getName()));
    }

    private static boolean isIn(StackTraceElement[] stack, String type, String method) {
        return Arrays.stream(stack)
                .anyMatch(each ->
                        each.getClassName().equals(type) && each.getMethodName().equals(method));
    }

    /** The JDK says so only to those that want a hook. */
    private static boolean isJvmEnding() {
        Thread hook = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            Runtime.getRuntime().removeShutdownHook(hook);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
