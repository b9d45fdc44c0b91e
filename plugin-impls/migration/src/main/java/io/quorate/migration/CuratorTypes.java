package io.quorate.migration;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeUtils;

/** Which types of Curator have one of Quorate that replaces them, by full names: docs/curator.md#migration. */
final class CuratorTypes {

    static final String CLIENT = "org.apache.curator.framework.CuratorFramework";
    static final String FACTORY = CLIENT + "Factory";
    /** All of this package is about elections, and has the same name in Quorate. */
    static final String LEADER = "org.apache.curator.framework.recipes.leader";

    static final String QUORATE = "io.quorate";

    static final String OUR_CLIENT = "io.quorate.ElectionClient";

    private static final String STATE = "org.apache.curator.framework.state.";

    /** All types of that package that applications see. */
    static final List<String> OF_ELECTIONS = List.of(
            "CancelLeadershipException",
            "LeaderLatch",
            "LeaderLatchListener",
            "LeaderSelector",
            "LeaderSelectorListener",
            "LeaderSelectorListenerAdapter",
            "Participant");

    /** Types that elections share with the data in ZooKeeper, so each use has to be looked at. */
    static final Map<String, String> SHARED = Map.of(
            CLIENT,
            OUR_CLIENT,
            "org.apache.curator.framework.imps.CuratorFrameworkState",
            OUR_CLIENT + "$State",
            "org.apache.curator.framework.listen.Listenable",
            QUORATE + ".Listenable",
            STATE + "ConnectionState",
            QUORATE + ".ConnectionState",
            STATE + "ConnectionStateErrorPolicy",
            QUORATE + ".ConnectionStateErrorPolicy",
            STATE + "ConnectionStateListener",
            QUORATE + ".ConnectionStateListener",
            STATE + "SessionConnectionStateErrorPolicy",
            QUORATE + ".SessionConnectionStateErrorPolicy",
            STATE + "StandardConnectionStateErrorPolicy",
            QUORATE + ".StandardConnectionStateErrorPolicy");

    /** What both clients have. */
    private static final Set<String> OF_BOTH_CLIENTS = Set.of(
            "blockUntilConnected",
            "close",
            "getConnectionStateErrorPolicy",
            "getConnectionStateListenable",
            "getState",
            "start");

    /** What {@code ElectionClient} lacks, and what does not read or write data. */
    private static final Set<String> OF_ANY_CLIENT = Set.of(
            "getNamespace",
            "getUnhandledErrorListenable",
            "getZookeeperClient",
            "isStarted",
            "nonNamespaceView",
            "usingNamespace");

    private CuratorTypes() {}

    static String nameOf(@Nullable JavaType type) {
        JavaType.FullyQualified named = TypeUtils.asFullyQualified(type);
        return named == null ? "" : named.getFullyQualifiedName();
    }

    static boolean isShared(@Nullable JavaType type) {
        return SHARED.containsKey(nameOf(type));
    }

    static boolean isOfElection(String name) {
        return name.startsWith(LEADER + ".");
    }

    /** Whether it belongs to ZooKeeper or its client, and Quorate does not replace it. */
    static boolean isOfData(String name) {
        boolean isTheirs = name.startsWith("org.apache.curator.") || name.startsWith("org.apache.zookeeper.");
        return isTheirs && !SHARED.containsKey(name) && !isOfElection(name);
    }

    /** Whether a value of this type is a shared one, or holds such values. */
    static boolean concerns(@Nullable JavaType type) {
        if (type instanceof JavaType.Parameterized parameterized
                && parameterized.getTypeParameters().stream().anyMatch(CuratorTypes::concerns)) {
            return true;
        }
        if (type instanceof JavaType.Array array) {
            return concerns(array.getElemType());
        }
        if (type instanceof JavaType.GenericTypeVariable variable) {
            // A bound may name its variable.
            return variable.getBounds().stream().anyMatch(bound -> isShared(bound) || isImplementation(bound));
        }
        return isShared(type) || isImplementation(type);
    }

    /** Whether this is a class of an application that implements a shared type. */
    static boolean isImplementation(@Nullable JavaType type) {
        String name = nameOf(type);
        return !name.isEmpty()
                && !SHARED.containsKey(name)
                && !isOfData(name)
                && SHARED.keySet().stream().anyMatch(shared -> TypeUtils.isAssignableTo(shared, type));
    }

    /** Whether a method of a shared type works with data in ZooKeeper. */
    static boolean isOfData(String type, String method) {
        return type.equals(CLIENT) && !OF_BOTH_CLIENTS.contains(method) && !isMissing(type, method);
    }

    /** Whether {@code ElectionClient} has no such method, though it is not about data. */
    static boolean isMissing(String type, String method) {
        return type.equals(CLIENT) && OF_ANY_CLIENT.contains(method);
    }
}
