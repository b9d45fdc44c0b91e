package io.quorate.process;

import io.quorate.ElectionClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** The processes of a test by their names, in the order of these. */
public final class ChildJvms implements AutoCloseable {

    private final Map<String, ChildJvm> latest = new ConcurrentSkipListMap<>();

    /** Adds a process, in the place of an earlier one with its name. */
    public ChildJvm add(ChildJvm jvm) {
        latest.put(jvm.name(), jvm);
        return jvm;
    }

    /** The latest process with this name. */
    public ChildJvm get(String name) {
        return latest.get(name);
    }

    /** The latest process of each name. */
    public List<ChildJvm> all() {
        return List.copyOf(latest.values());
    }

    /** Ends a process, and waits for that. */
    public void end(String name) {
        latest.remove(name).end();
    }

    /** Waits for a condition. Fails with the state of all processes if it does not hold in time. */
    public void await(String what, BooleanSupplier condition) {
        ChildJvm.await(condition, () -> what + describe());
    }

    /**
     * Waits until this number of voters supports the node of each process, as {@link NodeMain#obeyToTheEnd(ElectionClient, NodeMain.Command)} tells it. A
     * voter that has just started or was stopped does not support any node for a while.
     */
    public void awaitSupport(int voters) {
        all().forEach(jvm -> await(
                "support of " + jvm.name(), () -> jvm.ask(NodeMain.SUPPORTERS).equals(Integer.toString(voters))));
    }

    /** For error messages: the state of each process. */
    public String describe() {
        return latest.values().stream().map(jvm -> "\n  " + jvm.describe()).collect(Collectors.joining());
    }

    /** Ends all processes. */
    @Override
    public void close() {
        latest.values().forEach(ChildJvm::end);
    }
}
