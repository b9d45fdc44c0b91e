package io.quorate.migration;

import io.quorate.migration.Flows.Place;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.NameTree;

/** Finds the places of variables, methods, expressions and names of types. */
final class Places {

    private Places() {}

    /** All instances of a class of the application are on one side. */
    static Place ofInstances(JavaType type) {
        String name = CuratorTypes.nameOf(type);
        return CuratorTypes.isOfElection(name) ? Flows.ELECTION : new Place(name, "this");
    }

    /** The instance whose class is around a method. */
    static Place ofInstance(Cursor method) {
        J around = method.dropParentUntil(each -> each instanceof J.ClassDeclaration || each instanceof J.NewClass)
                .getValue();
        return around instanceof J.ClassDeclaration declaration && declaration.getType() != null
                ? ofInstances(declaration.getType())
                : Place.of(around.getId());
    }

    static Place ofResult(JavaType.Method method) {
        return new Place(CuratorTypes.nameOf(method.getDeclaringType()), signature(method));
    }

    static Place ofParameter(JavaType.Method method, int index) {
        int last = method.getParameterNames().size() - 1;
        String name = last < 0 ? "" : method.getParameterNames().get(Math.min(index, last));
        return new Place(CuratorTypes.nameOf(method.getDeclaringType()), signature(method) + "." + name);
    }

    static @Nullable JavaType parameterType(JavaType.Method method, int index) {
        int last = method.getParameterTypes().size() - 1;
        return last < 0 ? null : method.getParameterTypes().get(Math.min(index, last));
    }

    /** Overloads with as many parameters are one, which errs towards what stays. */
    static String signature(JavaType.Method method) {
        return method.getName() + "/" + method.getParameterTypes().size();
    }

    /** The place of a variable that holds values of shared types. */
    static @Nullable Place ofVariable(JavaType.@Nullable Variable variable) {
        if (variable == null || !CuratorTypes.concerns(variable.getType())) {
            return null;
        }
        if (CuratorTypes.isImplementation(variable.getType())) {
            return ofInstances(variable.getType());
        }
        return variable.getOwner() instanceof JavaType.Method method
                ? new Place(
                        CuratorTypes.nameOf(method.getDeclaringType()), signature(method) + "." + variable.getName())
                : new Place(CuratorTypes.nameOf(variable.getOwner()), variable.getName());
    }

    /** The place of the value of an expression; null if its type is not shared. */
    static @Nullable Place ofValue(Expression expression) {
        Expression value = expression.unwrap();
        JavaType type = value.getType();
        if (value instanceof J.Assignment assignment) {
            return ofValue(assignment.getVariable());
        }
        if (value instanceof J.ArrayAccess access) {
            return ofValue(access.getIndexed());
        }
        if (!CuratorTypes.concerns(type)) {
            return null;
        }
        boolean isAnonymous = value instanceof J.NewClass made && made.getBody() != null;
        if (type != null && CuratorTypes.isImplementation(type) && !isAnonymous) {
            return ofInstances(type);
        }
        JavaType.Variable variable = variableOf(value);
        boolean isConstant = variable != null && CuratorTypes.isShared(variable.getOwner());
        return variable == null || isConstant ? Place.of(value.getId()) : ofVariable(variable);
    }

    private static JavaType.@Nullable Variable variableOf(Expression value) {
        if (value instanceof J.Identifier identifier) {
            return identifier.getFieldType();
        }
        return value instanceof J.FieldAccess access ? access.getName().getFieldType() : null;
    }

    /** Whether this names a shared type, and not a value of it. */
    static boolean isTypeName(NameTree name) {
        boolean isValue = name instanceof Expression value && variableOf(value) != null;
        String simple = name instanceof J.Identifier identifier
                ? identifier.getSimpleName()
                : name instanceof J.FieldAccess access ? access.getSimpleName() : "";
        return !isValue
                && CuratorTypes.isShared(name.getType())
                && CuratorTypes.nameOf(name.getType()).endsWith("." + simple);
    }

    /** The place that a type is named for. */
    static Place ofTypeName(Cursor name) {
        J child = name.getValue();
        for (Cursor cursor = name.getParentTreeCursor(); cursor.getValue() instanceof J; ) {
            J parent = cursor.getValue();
            if (parent instanceof J.VariableDeclarations declaration && declaration.getTypeExpression() == child) {
                Place place = ofVariable(declaration.getVariables().get(0).getVariableType());
                return place == null ? Place.of(child.getId()) : place;
            }
            if (parent instanceof J.MethodDeclaration declaration
                    && declaration.getReturnTypeExpression() == child
                    && declaration.getMethodType() != null) {
                return ofResult(declaration.getMethodType());
            }
            if (parent instanceof J.ClassDeclaration declaration && declaration.getType() != null) {
                return ofInstances(declaration.getType());
            }
            boolean isPartOfType = parent instanceof J.ParameterizedType
                    || parent instanceof J.ArrayType
                    || parent instanceof J.Wildcard
                    || parent instanceof J.ControlParentheses<?>;
            if (!isPartOfType) {
                return Place.of(parent instanceof Expression ? parent.getId() : child.getId());
            }
            child = parent;
            cursor = cursor.getParentTreeCursor();
        }
        return Place.of(child.getId());
    }
}
