package io.quorate.migration;

import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.NameTree;

/** Comes to each name of a shared type, except in imports. */
abstract class TypeNames<P> extends JavaIsoVisitor<P> {

    /** The cursor stands on the name. */
    abstract void onTypeName(NameTree name, P context);

    @Override
    public final J.Import visitImport(J.Import each, P context) {
        return each;
    }

    @Override
    public final J.FieldAccess visitFieldAccess(J.FieldAccess access, P context) {
        if (Places.isTypeName(access)) {
            onTypeName(access, context);
            return access;
        }
        return super.visitFieldAccess(access, context);
    }

    @Override
    public final J.Identifier visitIdentifier(J.Identifier identifier, P context) {
        if (Places.isTypeName(identifier)) {
            onTypeName(identifier, context);
        }
        return identifier;
    }
}
