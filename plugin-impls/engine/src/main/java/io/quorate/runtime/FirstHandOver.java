package io.quorate.runtime;

import io.quorate.engine.Fatal;
import java.util.List;

/**
 * The classes that a process uses for the first time when it hands leadership over or takes it. They are loaded while
 * the node starts. Otherwise they would be loaded while nobody leads, which took a third of a first hand-over.
 * {@code ColdPathTest} says which are missing, apart from what the close of a client and waits in real time need, and
 * {@code FirstHandOverTest} which exist no more.
 */
final class FirstHandOver {

    private static final List<String> CLASSES = List.of(
            "FencedLeaderLatchListener",
            "client.Parting",
            "client.ListenerSet$Call",
            "client.ListenerSet$Delivery",
            "client.CurrentTenure",
            "core.message.DirectoryMessage$Change$Leave",
            "core.message.DirectoryMessage$Item$Unlisted",
            "core.message.VoteMessage$Successor",
            "core.path.ContenderState$Electing",
            "core.path.ContenderState$Leading",
            "core.path.ContenderState$Leaving",
            "core.step.NodeEffect$Granted",
            "core.step.NodeEffect$Revoked",
            "core.step.NodeEvent$Close",
            "core.step.NodeEvent$Withdraw",
            "core.vote.Blockade",
            "engine.Lease",
            "engine.Tenure",
            "runtime.ElectionDriver$Posted",
            "jvm.BoundedWait");

    private FirstHandOver() {}

    /**
     * Loads them. The second call has no effect.
     *
     * @throws VirtualMachineError if the machine is at its end, such as a full heap
     */
    static void prepare() {
        String root = FirstHandOver.class.getPackageName().replaceFirst("runtime$", "");
        // It sees the API too.
        ClassLoader loader = FirstHandOver.class.getClassLoader();
        for (String name : CLASSES) {
            try {
                Class.forName(root + name, true, loader);
            } catch (Throwable e) {
                // Justification: catches everything but what nobody survives. The loader is the application's, and the
                // names of the jar may have been changed. The needed classes are loaded later, and an error names those
                // that cannot be.
                Fatal.throwIfFatal(e);
            }
        }
    }
}
