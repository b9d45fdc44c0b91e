package io.quorate.migration;

import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.TypeUtils;

/** Questions about a whole file, or about a type by its name. */
final class Sources {

    private static final String COMPANION = "io.quorate.tandem.Companion";

    private Sources() {}

    /**
     * Whether a file stays as it is. The old side of a tandem must stay with Curator, and a class in a package of
     * Curator may use what Quorate lacks. Document: docs/migration.md#companions.
     */
    static boolean isKept(J.CompilationUnit unit) {
        J.Package origin = unit.getPackageDeclaration();
        return origin != null && origin.getPackageName().startsWith("org.apache.curator")
                || unit.getImports().stream()
                        .anyMatch(each -> each.getTypeName().equals(COMPANION))
                || unit.getTypesInUse().getTypesInUse().stream()
                        .anyMatch(type -> CuratorTypes.nameOf(type).equals(COMPANION))
                || unit.getClasses().stream().anyMatch(each -> TypeUtils.isAssignableTo(COMPANION, each.getType()));
    }

    /** Whether this makes clients. */
    static boolean isFactory(String type) {
        return type.equals(CuratorTypes.FACTORY) || type.startsWith(CuratorTypes.FACTORY + "$");
    }
}
