package io.quorate.engine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;

/**
 * Clears what the JDK keeps of the records that were compared last. Before JDK 19 its {@link ObjectMethods} hold on to
 * the last class for which they have made {@code equals} or {@code hashCode} (JDK-8078641), and so to its class loader:
 * an application that is taken out of service would stay in memory until another one compares records.
 */
public final class RecordMethods {

    /** The first JDK that holds such classes softly. */
    private static final int JDK_SOFT = 19;

    private RecordMethods() {}

    /** Has the JDK make the methods for a class of its own, which takes the place of the last one. */
    public static void forgetLast() {
        if (Runtime.version().feature() >= JDK_SOFT) {
            return;
        }
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodHandle part = lookup.findVirtual(String.class, "toString", MethodType.methodType(String.class));
            for (String method : new String[] {"equals", "hashCode"}) {
                ObjectMethods.bootstrap(lookup, method, MethodHandle.class, String.class, "value", part);
            }
        } catch (Throwable e) {
            // Justification: catches everything, as the method may throw anything. Without it the memory of one
            // application stays until the next one compares records.
            Fatal.throwIfFatal(e);
        }
    }
}
