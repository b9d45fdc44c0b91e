package io.quorate.migration;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.java.AddImport;
import org.openrewrite.java.ChangeType;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.RemoveImport;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.NameTree;
import org.openrewrite.java.tree.TypeTree;

/** Changes the names of types in one file. */
final class Rewriter {

    private final Flows flows;
    private final ExecutionContext context;
    /** By the name of a shared type, on which side each place is that names it. */
    private final Map<String, Map<UUID, Boolean>> names = new HashMap<>();

    Rewriter(Flows flows, ExecutionContext context) {
        this.flows = flows;
        this.context = context;
    }

    J rewrite(J.CompilationUnit unit) {
        new Names().visit(unit, 0);
        J changed = new Marks(flows).visitNonNull(unit, context);
        for (Map.Entry<String, String> each : CuratorTypes.SHARED.entrySet()) {
            Map<UUID, Boolean> sides = names.getOrDefault(each.getKey(), Map.of());
            if (!sides.isEmpty() && !sides.containsValue(false)) {
                changed = run(new ChangeType(each.getKey(), each.getValue(), true), changed);
            }
        }
        // The state of a client is written with the client, so nothing needs this.
        changed = new RemoveImport<ExecutionContext>(CuratorTypes.OUR_CLIENT + ".State", true)
                .visitNonNull(changed, context);
        changed = new SomeNames().visitNonNull(changed, context);
        // One by one, because imports are sorted then.
        for (String each : CuratorTypes.OF_ELECTIONS) {
            String type = "." + each;
            changed = run(new ChangeType(CuratorTypes.LEADER + type, CuratorTypes.QUORATE + type, true), changed);
        }
        return changed;
    }

    private J run(Recipe recipe, J unit) {
        return (J) recipe.getVisitor().visitNonNull(unit, context);
    }

    /** Finds on which side each name of a shared type is. */
    private final class Names extends TypeNames<Integer> {

        @Override
        void onTypeName(NameTree name, Integer none) {
            names.computeIfAbsent(CuratorTypes.nameOf(name.getType()), type -> new HashMap<>())
                    .put(name.getId(), flows.isOfElection(Places.ofTypeName(getCursor())));
        }
    }

    /** Changes a type at some of the places that name it. */
    private final class SomeNames extends JavaVisitor<ExecutionContext> {

        private boolean isImported;

        @Override
        public J visitCompilationUnit(J.CompilationUnit unit, ExecutionContext none) {
            J changed = super.visitCompilationUnit(unit, none);
            if (isImported) {
                doAfterVisit(new AddImport<>(CuratorTypes.OUR_CLIENT, null, false));
            }
            return changed;
        }

        @Override
        public J visitImport(J.Import each, ExecutionContext none) {
            return each;
        }

        @Override
        public J visitFieldAccess(J.FieldAccess access, ExecutionContext none) {
            return isWanted(access) ? changed(access) : super.visitFieldAccess(access, none);
        }

        @Override
        public J visitIdentifier(J.Identifier identifier, ExecutionContext none) {
            return isWanted(identifier) ? changed(identifier) : identifier;
        }

        private boolean isWanted(NameTree name) {
            return names.getOrDefault(CuratorTypes.nameOf(name.getType()), Map.of())
                    .getOrDefault(name.getId(), false);
        }

        /** In full, because an import of the same name stays; a client has another name. */
        private J changed(NameTree name) {
            String type = CuratorTypes.SHARED.getOrDefault(CuratorTypes.nameOf(name.getType()), "");
            if (name instanceof J.Identifier identifier && type.equals(CuratorTypes.OUR_CLIENT)) {
                isImported = true;
                JavaType client = JavaType.ShallowClass.build(type);
                return identifier
                        .withSimpleName(type.substring(type.lastIndexOf('.') + 1))
                        .withType(client);
            }
            Expression built = TypeTree.build(type.replace('$', '.'));
            return built.withPrefix(name.getPrefix());
        }
    }
}
