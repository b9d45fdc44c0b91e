package io.quorate.migration;

import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.ScanningRecipe;
import org.openrewrite.Tree;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.tree.J;

/**
 * Moves elections from Apache Curator to Quorate, and leaves with Curator what works with data in ZooKeeper. Where a
 * value would have to be both, it writes a comment. Document: docs/migration.md#the-recipe.
 */
public final class MigrateFromCurator extends ScanningRecipe<Flows> {

    /** Made by OpenRewrite, which finds it by its name. */
    public MigrateFromCurator() {}

    @Override
    public String getDisplayName() {
        return "Move elections from Apache Curator to Quorate";
    }

    @Override
    public String getDescription() {
        return "Changes latches, selectors, their listeners, and the clients that they get. "
                + "Data in ZooKeeper stays with Curator.";
    }

    @Override
    public Flows getInitialValue(ExecutionContext context) {
        return new Flows();
    }

    @Override
    public TreeVisitor<?, ExecutionContext> getScanner(Flows flows) {
        return new TreeVisitor<Tree, ExecutionContext>() {
            @Override
            public @Nullable Tree visit(@Nullable Tree tree, ExecutionContext context) {
                return tree instanceof J.CompilationUnit ? new FlowScanner().visit(tree, flows) : tree;
            }
        };
    }

    @Override
    public TreeVisitor<?, ExecutionContext> getVisitor(Flows flows) {
        flows.solve();
        return new TreeVisitor<Tree, ExecutionContext>() {
            @Override
            public @Nullable Tree visit(@Nullable Tree tree, ExecutionContext context) {
                return tree instanceof J.CompilationUnit unit && !Sources.isKept(unit)
                        ? new Rewriter(flows, context).rewrite(unit)
                        : tree;
            }
        };
    }
}
