package io.quorate.migration;

import io.quorate.migration.Flows.Place;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.Tree;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.Flag;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.NameTree;
import org.openrewrite.java.tree.TypeUtils;

/** Adds to the flows what a file does with values of shared types. */
final class FlowScanner extends TypeNames<Flows> {

    private String file = "";
    private boolean isKept;

    @Override
    public J.CompilationUnit visitCompilationUnit(J.CompilationUnit unit, Flows flows) {
        file = unit.getSourcePath().toString();
        isKept = Sources.isKept(unit);
        return super.visitCompilationUnit(unit, flows);
    }

    // ---------------------------------------------------------------- declarations

    @Override
    public J.ClassDeclaration visitClassDeclaration(J.ClassDeclaration declaration, Flows flows) {
        JavaType.FullyQualified type = declaration.getType();
        if (type != null) {
            flows.declare(type.getFullyQualifiedName());
            if (CuratorTypes.isImplementation(type)) {
                addInstance(Places.ofInstances(type), type, declaration.getId(), flows);
            }
            for (J component : components(declaration)) {
                addComponent(
                        (J.VariableDeclarations) component,
                        type,
                        components(declaration).size(),
                        flows);
            }
        }
        return super.visitClassDeclaration(declaration, flows);
    }

    private static List<? extends J> components(J.ClassDeclaration declaration) {
        List<? extends J> all = declaration.getPrimaryConstructor();
        return all == null
                ? List.of()
                : all.stream().filter(J.VariableDeclarations.class::isInstance).toList();
    }

    /** A component of a record is a field, a parameter, and the result of a method. */
    private static void addComponent(
            J.VariableDeclarations component, JavaType.FullyQualified type, int count, Flows flows) {
        String name = component.getVariables().get(0).getSimpleName();
        Place field = new Place(type.getFullyQualifiedName(), name);
        UUID id = component.getId();
        flows.join(field, new Place(field.type(), "<constructor>/" + count + "." + name), id);
        flows.join(field, new Place(field.type(), name + "/0"), id);
    }

    /** Adds the instances of a class that implements a shared type, and perhaps a type that has a side. */
    private void addInstance(Place place, JavaType.FullyQualified type, UUID id, Flows flows) {
        add(place, flows);
        if (TypeUtils.isAssignableTo(CuratorTypes.LEADER + ".LeaderSelectorListener", type)) {
            flows.join(place, Flows.ELECTION, id);
        }
        // ElectionClient is a class, so nothing else can be one.
        if (TypeUtils.isAssignableTo(CuratorTypes.CLIENT, type)) {
            flows.join(place, Flows.DATA, id);
        }
        JavaType.FullyQualified above = type.getSupertype();
        if (above != null && CuratorTypes.isImplementation(above)) {
            flows.join(place, Places.ofInstances(above), id);
        }
    }

    @Override
    public J.MethodDeclaration visitMethodDeclaration(J.MethodDeclaration declaration, Flows flows) {
        JavaType.Method method = declaration.getMethodType();
        if (method != null) {
            flows.declare(CuratorTypes.nameOf(method.getDeclaringType()));
            if (CuratorTypes.concerns(method.getReturnType())) {
                add(Places.ofResult(method), flows);
            }
            TypeUtils.findOverriddenMethod(method).ifPresent(overridden -> override(method, overridden, flows));
        }
        return super.visitMethodDeclaration(declaration, flows);
    }

    private void override(JavaType.Method method, JavaType.Method overridden, Flows flows) {
        UUID id = ((J) getCursor().getValue()).getId();
        Optional<Place> side =
                sideOf(CuratorTypes.nameOf(overridden.getDeclaringType()), () -> Places.ofInstance(getCursor()));
        for (int i = 0; i < method.getParameterTypes().size(); i++) {
            if (CuratorTypes.concerns(method.getParameterTypes().get(i))) {
                flows.join(
                        Places.ofParameter(method, i),
                        side.isPresent() ? side.get() : Places.ofParameter(overridden, i),
                        id);
            }
            if (side.isEmpty() && CuratorTypes.concerns(Places.parameterType(overridden, i))) {
                String type = CuratorTypes.nameOf(overridden.getDeclaringType());
                flows.joinIfForeign(type, Places.ofParameter(method, i), Flows.DATA, id);
            }
        }
        if (CuratorTypes.concerns(method.getReturnType())) {
            flows.join(Places.ofResult(method), side.orElse(Places.ofResult(overridden)), id);
        }
    }

    /** On which side the methods of a type are; a shared one has that of its instance, and an application's has none. */
    private static Optional<Place> sideOf(String type, Supplier<Place> instance) {
        if (CuratorTypes.isOfElection(type)) {
            return Optional.of(Flows.ELECTION);
        }
        if (CuratorTypes.isOfData(type)) {
            return Optional.of(Flows.DATA);
        }
        return CuratorTypes.SHARED.containsKey(type) ? Optional.of(instance.get()) : Optional.empty();
    }

    @Override
    public J.VariableDeclarations visitVariableDeclarations(J.VariableDeclarations declaration, Flows flows) {
        for (J.VariableDeclarations.NamedVariable each : declaration.getVariables()) {
            Place variable = Places.ofVariable(each.getVariableType());
            if (variable != null) {
                flows.declare(variable.type());
                add(variable, flows);
                flow(each.getInitializer(), variable, flows);
            }
        }
        return super.visitVariableDeclarations(declaration, flows);
    }

    // ---------------------------------------------------------------- expressions

    @Override
    public J.Assignment visitAssignment(J.Assignment assignment, Flows flows) {
        Place variable = Places.ofValue(assignment.getVariable());
        if (variable != null) {
            flow(assignment.getAssignment(), variable, flows);
        }
        return super.visitAssignment(assignment, flows);
    }

    @Override
    public J.ForEachLoop.Control visitForEachControl(J.ForEachLoop.Control control, Flows flows) {
        if (control.getVariable() instanceof J.VariableDeclarations each) {
            Place variable = Places.ofVariable(each.getVariables().get(0).getVariableType());
            join(control.getIterable(), variable, flows);
        }
        return super.visitForEachControl(control, flows);
    }

    @Override
    public J.Return visitReturn(J.Return statement, Flows flows) {
        Object around = getCursor()
                .dropParentUntil(each ->
                        each instanceof J.MethodDeclaration || each instanceof J.Lambda || each == Cursor.ROOT_VALUE)
                .getValue();
        if (around instanceof J.Lambda lambda) {
            join(statement.getExpression(), Place.of(lambda.getId()), flows);
        } else if (around instanceof J.MethodDeclaration declaration && declaration.getMethodType() != null) {
            flow(statement.getExpression(), Places.ofResult(declaration.getMethodType()), flows);
        }
        return super.visitReturn(statement, flows);
    }

    @Override
    public J.Binary visitBinary(J.Binary binary, Flows flows) {
        join(binary.getRight(), Places.ofValue(binary.getLeft()), flows);
        return super.visitBinary(binary, flows);
    }

    @Override
    public J.Ternary visitTernary(J.Ternary ternary, Flows flows) {
        join(ternary.getTruePart(), Place.of(ternary.getId()), flows);
        join(ternary.getFalsePart(), Place.of(ternary.getId()), flows);
        return super.visitTernary(ternary, flows);
    }

    @Override
    public J.TypeCast visitTypeCast(J.TypeCast cast, Flows flows) {
        join(cast.getExpression(), Place.of(cast.getId()), flows);
        return super.visitTypeCast(cast, flows);
    }

    @Override
    public J.Lambda visitLambda(J.Lambda lambda, Flows flows) {
        Place place = Place.of(lambda.getId());
        add(place, flows);
        String type = CuratorTypes.nameOf(lambda.getType());
        Optional<Place> side = sideOf(type, () -> place);
        JavaType.Method called = functionOf(lambda.getType());
        int i = 0;
        for (J each : lambda.getParameters().getParameters()) {
            if (each instanceof J.VariableDeclarations declaration) {
                Place parameter =
                        Places.ofVariable(declaration.getVariables().get(0).getVariableType());
                if (parameter != null) {
                    flows.join(parameter, side.orElse(place), lambda.getId());
                    if (side.isEmpty()
                            && called != null
                            && i < called.getParameterTypes().size()) {
                        flows.join(parameter, Places.ofParameter(called, i), lambda.getId());
                    }
                }
            }
            i++;
        }
        if (lambda.getBody() instanceof Expression body) {
            join(body, place, flows);
        }
        return super.visitLambda(lambda, flows);
    }

    /** The one method of a functional interface. */
    private static JavaType.@Nullable Method functionOf(@Nullable JavaType type) {
        JavaType.FullyQualified named = TypeUtils.asFullyQualified(type);
        List<JavaType.Method> all = named == null
                ? List.of()
                : named.getMethods().stream()
                        .filter(method -> method.hasFlags(Flag.Abstract))
                        .toList();
        return all.size() == 1 ? all.get(0) : null;
    }

    @Override
    public J.MemberReference visitMemberReference(J.MemberReference reference, Flows flows) {
        Place place = Place.of(reference.getId());
        add(place, flows);
        JavaType.Method method = reference.getMethodType();
        if (method != null) {
            Place side = sideOf(CuratorTypes.nameOf(reference.getType()), () -> place)
                    .orElse(place);
            for (int i = 0; i < method.getParameterTypes().size(); i++) {
                flows.join(side, Places.ofParameter(method, i), reference.getId());
            }
            flows.join(side, Places.ofResult(method), reference.getId());
        }
        return super.visitMemberReference(reference, flows);
    }

    @Override
    public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, Flows flows) {
        call(call, call.getMethodType(), call.getSelect(), call.getArguments(), flows);
        return super.visitMethodInvocation(call, flows);
    }

    @Override
    public J.NewClass visitNewClass(J.NewClass made, Flows flows) {
        JavaType.FullyQualified type = TypeUtils.asFullyQualified(made.getType());
        if (type != null && made.getBody() != null) {
            addInstance(Place.of(made.getId()), type, made.getId(), flows);
        }
        call(made, made.getMethodType(), null, made.getArguments(), flows);
        return super.visitNewClass(made, flows);
    }

    private void call(
            Expression call,
            JavaType.@Nullable Method method,
            @Nullable Expression select,
            List<Expression> arguments,
            Flows flows) {
        if (method == null) {
            return;
        }
        String type = CuratorTypes.nameOf(method.getDeclaringType());
        Place result = Place.of(call.getId());
        if (CuratorTypes.concerns(call.getType())) {
            add(result, flows);
        }
        if (CuratorTypes.isOfElection(type)) {
            arguments.forEach(each -> flow(each, Flows.ELECTION, flows));
        } else if (CuratorTypes.isOfData(type, method.getName())) {
            flow(select, Flows.DATA, flows);
        } else if (CuratorTypes.SHARED.containsKey(type) || Sources.isFactory(type)) {
            join(select, result, flows);
            // Those of data have the same type to which their listeners are added.
            if (select == null || !isOfOtherListeners(select.getType())) {
                arguments.forEach(each -> join(each, result, flows));
            }
        } else if (CuratorTypes.isOfData(type)) {
            flows.join(result, Flows.DATA, call.getId());
            for (int i = 0; i < arguments.size(); i++) {
                if (CuratorTypes.concerns(Places.parameterType(method, i))) {
                    flow(arguments.get(i), Flows.DATA, flows);
                }
            }
        } else {
            flows.flow(Places.ofResult(method), result, call.getId());
            for (int i = 0; i < arguments.size(); i++) {
                flow(arguments.get(i), Places.ofParameter(method, i), flows);
                if (isDeclaredShared(method, i)) {
                    ifShared(arguments.get(i), (place, id) -> flows.joinIfForeign(type, place, Flows.DATA, id));
                }
            }
            if (select != null && Places.ofValue(select) != null || CuratorTypes.concerns(call.getType())) {
                foreign(type, select, result, flows);
                arguments.forEach(each -> foreign(type, each, result, flows));
            }
        }
    }

    /** Whether the method names a shared type there, and no variable for one: a library then needs Curator's. */
    private static boolean isDeclaredShared(JavaType.Method method, int i) {
        return CuratorTypes.concerns(Places.parameterType(method, i))
                && method.getDeclaringType().getMethods().stream()
                        .filter(each -> Places.signature(each).equals(Places.signature(method)))
                        .anyMatch(each -> CuratorTypes.concerns(Places.parameterType(each, i)));
    }

    private static boolean isOfOtherListeners(@Nullable JavaType type) {
        return type instanceof JavaType.Parameterized parameterized
                && parameterized.getTypeParameters().stream().noneMatch(CuratorTypes::concerns);
    }

    private static void foreign(String type, @Nullable Expression value, Place result, Flows flows) {
        ifShared(value, (place, id) -> flows.joinIfForeign(type, place, result, id));
    }

    private static void flow(@Nullable Expression value, Place to, Flows flows) {
        ifShared(value, (place, id) -> flows.flow(place, to, id));
    }

    private static void join(@Nullable Expression value, @Nullable Place other, Flows flows) {
        if (other != null) {
            ifShared(value, (place, id) -> flows.join(place, other, id));
        }
    }

    private static void ifShared(@Nullable Expression value, BiConsumer<Place, UUID> use) {
        Place place = value == null ? null : Places.ofValue(value);
        if (value != null && place != null) {
            use.accept(place, value.getId());
        }
    }

    @Override
    void onTypeName(NameTree name, Flows flows) {
        add(Places.ofTypeName(getCursor()), flows);
    }

    private void add(Place place, Flows flows) {
        if (!place.equals(Flows.ELECTION) && !place.equals(Flows.DATA)) {
            flows.add(place, file);
            if (isKept) {
                flows.join(place, Flows.DATA, Tree.randomId());
            }
        }
    }
}
