package io.quorate.migration;

import io.quorate.migration.Flows.Place;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.ExecutionContext;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TextComment;
import org.openrewrite.marker.SearchResult;

/** Writes a comment before what does not compile afterwards. */
final class Marks extends JavaVisitor<ExecutionContext> {

    private static final String BUILD =
            "Quorate: write ElectionClient.builder().nodeId(...).peers(...).build() instead";
    private static final String NEEDS_ELECTION =
            "Quorate: an ElectionClient is needed here, because this client works with data in ZooKeeper";
    private static final String NEEDS_DATA = "Quorate: a client of Curator is needed here";
    private static final String NO_METHOD = "Quorate: ElectionClient has no such method";
    private static final String NO_PROXY = "Quorate: remove this method, because listeners are not wrapped";
    private static final String NO_THREADS = "Quorate: pass an ExecutorService, or nothing";

    /** What no constructor of our selector takes. */
    private static final Set<String> THREADS =
            Set.of("java.util.concurrent.ThreadFactory", "org.apache.curator.utils.CloseableExecutorService");

    private final Flows flows;
    private final Map<UUID, Boolean> torn;

    Marks(Flows flows) {
        this.flows = flows;
        this.torn = flows.torn();
    }

    @Override
    public J postVisit(J tree, ExecutionContext context) {
        String text = text(tree);
        return text == null || isMarked(text) ? tree : SearchResult.found(tree, text);
    }

    private @Nullable String text(J tree) {
        Boolean needsElection = torn.get(tree.getId());
        if (needsElection != null) {
            return needsElection ? NEEDS_ELECTION : NEEDS_DATA;
        }
        if (tree instanceof J.MethodInvocation call && call.getMethodType() != null) {
            return ofCall(call, call.getMethodType());
        }
        if (tree instanceof J.NewClass made && made.getMethodType() != null) {
            JavaType.Method method = made.getMethodType();
            boolean isSelector =
                    CuratorTypes.nameOf(method.getDeclaringType()).equals(CuratorTypes.LEADER + ".LeaderSelector");
            boolean hasThreads =
                    method.getParameterTypes().stream().anyMatch(type -> THREADS.contains(CuratorTypes.nameOf(type)));
            return isSelector && hasThreads ? NO_THREADS : null;
        }
        boolean isProxy = tree instanceof J.MethodDeclaration declaration
                && declaration.getSimpleName().equals("doNotProxy")
                && flows.isOfElection(Places.ofInstance(getCursor()));
        return isProxy ? NO_PROXY : null;
    }

    private @Nullable String ofCall(J.MethodInvocation call, JavaType.Method method) {
        String type = CuratorTypes.nameOf(method.getDeclaringType());
        if (Sources.isFactory(type)
                && CuratorTypes.concerns(call.getType())
                && flows.isOfElection(Place.of(call.getId()))) {
            return BUILD;
        }
        Place client = call.getSelect() == null ? null : Places.ofValue(call.getSelect());
        boolean isMissing = CuratorTypes.isMissing(type, method.getName());
        return isMissing && client != null && flows.isOfElection(client) ? NO_METHOD : null;
    }

    /** Whether an earlier run has written it, before this or before an expression that begins with this. */
    private boolean isMarked(String text) {
        for (Cursor cursor = getCursor(); cursor.getValue() instanceof J tree; cursor = cursor.getParentTreeCursor()) {
            if (tree instanceof J.Block) {
                break;
            }
            if (tree.getPrefix().getComments().stream()
                    .anyMatch(comment -> comment instanceof TextComment written
                            && written.getText().contains(text))) {
                return true;
            }
        }
        return false;
    }
}
