package io.quorate.testkit;

import static net.bytebuddy.asm.MemberSubstitution.relaxed;
import static net.bytebuddy.matcher.ElementMatchers.hasDescriptor;
import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;

import io.quorate.spi.Check;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.AsmVisitorWrapper.ForDeclaredMethods;
import net.bytebuddy.asm.AsmVisitorWrapper.ForDeclaredMethods.MethodVisitorWrapper;
import net.bytebuddy.asm.MemberSubstitution.Substitution.Factory;
import net.bytebuddy.asm.MemberSubstitution.Target;
import net.bytebuddy.asm.MemberSubstitution.WithoutSpecification;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDefinition;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.TypeResolutionStrategy;
import net.bytebuddy.implementation.bytecode.Removal;
import net.bytebuddy.implementation.bytecode.StackManipulation;
import net.bytebuddy.implementation.bytecode.StackManipulation.Compound;
import net.bytebuddy.implementation.bytecode.StackManipulation.Trivial;
import net.bytebuddy.implementation.bytecode.assign.TypeCasting;
import net.bytebuddy.implementation.bytecode.constant.DefaultValue;
import net.bytebuddy.implementation.bytecode.member.FieldAccess;
import net.bytebuddy.implementation.bytecode.member.MethodInvocation;
import net.bytebuddy.implementation.bytecode.member.MethodReturn;
import net.bytebuddy.implementation.bytecode.member.MethodVariableAccess;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.pool.TypePool;
import net.bytebuddy.utility.ConstantValue;
import net.bytebuddy.utility.OpenedClassReader;

/**
 * A fault in the byte code of one method of a class, made by Byte Buddy. It is addressed by names, and so does not
 * depend on how the method is written.
 *
 * <pre>{@code
 * in(Ballot.class, "isLiveForAnother").returns(false)
 * in(FileTermStore.class, "replace").call("TermFiles.force").isLeftOut()
 * in(SupportGiven.class, "onHeartbeat").call("support").passes(Faults.class, "half")
 * in(Tenure.class, "isValid(Clock)").runs(Faults.class, "isValidForLonger")
 * }</pre>
 *
 * <p>What is put into the method is a constant, or a static method of a test, which is public and in a public class, or
 * in the package of the changed class.
 *
 * @param place   the method
 * @param what    what is changed in it
 * @param isWhole whether it changes as a whole
 * @param edit    changes the code of one method
 */
public record CodeChange(Place place, String what, boolean isWhole, MethodVisitorWrapper edit) {

    private static final ClassFileLocator LOCATOR =
            ClassFileLocator.ForClassLoader.of(CodeChange.class.getClassLoader());
    /** What classes have; a change leaves that as it is. */
    private static final TypePool TYPES = TypePool.Default.of(LOCATOR);

    /** What is put in place of something. */
    @FunctionalInterface
    private interface Put {
        StackManipulation in(Site site);
    }

    /**
     * Where something is put.
     *
     * @param into     the class that is changed
     * @param operands what the old code takes
     * @param taken    puts them on the stack, if they are not there
     * @param dropped  takes them from it, if they are there
     * @param result   what the old code leaves
     */
    private record Site(
            TypeDescription into,
            List<? extends TypeDefinition> operands,
            StackManipulation taken,
            StackManipulation dropped,
            TypeDefinition result) {}

    /** As the other one, for a class that the test can name. */
    public static Place in(Class<?> type, String method) {
        return in(type.getName(), method);
    }

    /**
     * Where the fault is.
     *
     * @param type   the name of the class, {@code io.quorate.core.vote.Ballot} or {@code a.Outer$Inner}
     * @param method its name, {@code new} for a constructor; or with the simple names of its parameters' types, {@code
     *               isValid(Clock,long)}. Lambdas belong to their method. Without parameters, what is changed inside
     *               is changed in all methods of that name; what changes the method as a whole needs the one
     */
    public static Place in(String type, String method) {
        return new Place(type, method);
    }

    /** A method. */
    public record Place(String type, String method) {

        /** It does nothing but answer this. */
        public CodeChange returns(Object constant) {
            return body("returns " + constant, constant(constant));
        }

        /** It does nothing; if it has to answer something, it is 0, false or null. */
        public CodeChange doesNothing() {
            return body("does nothing", site -> DefaultValue.of(site.result));
        }

        /** A static method runs in place of it, with its object, if it has one, and its arguments; or with none. */
        public CodeChange runs(Class<?> other, String name) {
            return body("runs " + other.getSimpleName() + "." + name, callOf(other, name));
        }

        /** It takes no monitor: its synchronized blocks do not exclude each other. */
        public CodeChange takesNoMonitor() {
            MethodVisitorWrapper pops =
                    (type, method, out, context, pool, w, r) -> new MethodVisitor(OpenedClassReader.ASM_API, out) {
                        @Override
                        public void visitInsn(int opcode) {
                            boolean isMonitor = opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT;
                            super.visitInsn(isMonitor ? Opcodes.POP : opcode);
                        }
                    };
            return new CodeChange(this, "takes no monitor", false, pops);
        }

        /** The calls of a method of this name; {@code Owner.name}, if only those of one class are meant. */
        public Use call(String name) {
            return new Use(this, "call of ", name, relaxed().method(named(last(name))));
        }

        /** The reading of a field of this name; {@code Owner.name}, if only that of one class is meant. */
        public Use read(String name) {
            return new Use(
                    this,
                    "reading of ",
                    name,
                    relaxed().field(named(last(name))).onRead());
        }

        /** The writing of a field of this name; {@code Owner.name}, if only that of one class is meant. */
        public Use write(String name) {
            return new Use(
                    this,
                    "writing of ",
                    name,
                    relaxed().field(named(last(name))).onWrite());
        }

        private CodeChange body(String what, Put put) {
            return new CodeChange(this, what, true, (type, method, out, context, pool, w, r) -> {
                if (method.isAbstract() || method.getName().startsWith("lambda$")) {
                    return out;
                }
                Check.argument(method.isMethod(), "%s: is a constructor", this);
                List<TypeDefinition> operands =
                        new ArrayList<>(method.getParameters().asTypeList());
                if (!method.isStatic()) {
                    operands.add(0, type);
                }
                StackManipulation taken =
                        MethodVariableAccess.allArgumentsOf(method).prependThisReference();
                TypeDefinition result = method.getReturnType();
                StackManipulation code = put.in(new Site(type, operands, taken, Trivial.INSTANCE, result));
                out.visitCode();
                int stack = new Compound(code, MethodReturn.of(result))
                        .apply(out, context)
                        .getMaximalSize();
                out.visitMaxs(stack, method.getStackSize());
                out.visitEnd();
                return null;
            });
        }

        @Override
        public String toString() {
            return last(type) + "." + method;
        }
    }

    /** Instructions of one kind in a method. */
    public record Use(Place place, String kind, String name, WithoutSpecification<Target.ForMember> found) {

        /** What is put in place of an instruction, which uses a method or field. */
        @FunctionalInterface
        private interface PutThere {
            StackManipulation in(Site site, Target.ForMember target, StackManipulation original);
        }

        /** It does not happen, and its result is this. */
        public CodeChange answers(Object constant) {
            return change("answers " + constant, constant(constant));
        }

        /** It does not happen; if it has a result, that is 0, false or null. */
        public CodeChange isLeftOut() {
            return change("is left out", site -> new Compound(site.dropped, DefaultValue.of(site.result)));
        }

        /** A static method runs in place of it, with its object, if it has one, and its arguments; or with none. */
        public CodeChange runs(Class<?> other, String method) {
            return change("runs " + other.getSimpleName() + "." + method, callOf(other, method));
        }

        /** Another method or field of the same class and type takes the place of it. */
        public CodeChange becomes(String other) {
            return change("becomes " + other, (site, target, original) -> {
                var isOther = named(other).and(hasDescriptor(target.getMember().getDescriptor()));
                for (TypeDefinition owner : target.getReceiverType()) {
                    for (MethodDescription method : owner.getDeclaredMethods().filter(isOther)) {
                        return MethodInvocation.invoke(method);
                    }
                    for (FieldDescription field : owner.getDeclaredFields().filter(isOther)) {
                        return FieldAccess.forField(field).read();
                    }
                }
                // Else the mutant would fail because of that.
                String owner = target.getReceiverType().getSimpleName();
                throw new IllegalArgumentException(other + ": " + owner + " has none of that type");
            });
        }

        /** Its result, or the value that is written, passes through a static method with one parameter. */
        public CodeChange passes(Class<?> other, String method) {
            return change("passes " + other.getSimpleName() + "." + method, (site, target, original) -> {
                MethodDescription insert = insert(other, method);
                Check.argument(insert.getParameters().size() == 1, "%s: must have one parameter", insert);
                if (kind.startsWith("writing")) {
                    TypeDefinition written = site.operands.get(site.operands.size() - 1);
                    return new Compound(invoke(insert, site.into, written), original);
                }
                Check.argument(!site.result.represents(void.class), "%s: has no result", name);
                return new Compound(original, invoke(insert, site.into, site.result));
            });
        }

        private CodeChange change(String how, Put put) {
            return change(how, (site, target, original) -> put.in(site));
        }

        private CodeChange change(String how, PutThere put) {
            Factory<Target.ForMember> edit =
                    (type, method, pool) -> (target, operands, result, handle, original, free) -> {
                        String full = target.getReceiverType().getSimpleName() + "." + last(name);
                        if (name.contains(".") && !name.equals(full)) {
                            return original;
                        }
                        List<StackManipulation> pops = new ArrayList<>();
                        operands.forEach(operand -> pops.add(0, Removal.of(operand)));
                        Site site = new Site(type, operands, Trivial.INSTANCE, new Compound(pops), result);
                        return put.in(site, target, original);
                    };
            MethodVisitorWrapper all = found.replaceWith(edit);
            // For each call Byte Buddy collects all methods of the class: only where the name fits.
            MethodVisitorWrapper fitting = (type, method, out, context, pool, w, r) -> {
                MethodVisitor changing = all.wrap(type, method, out, context, pool, w, r);
                return new MethodVisitor(OpenedClassReader.ASM_API, changing) {
                    @Override
                    public void visitMethodInsn(
                            int opcode, String in, String called, String types, boolean isInterface) {
                        (called.equals(last(name)) ? mv : out).visitMethodInsn(opcode, in, called, types, isInterface);
                    }
                };
            };
            return new CodeChange(place, kind + name + " " + how, false, fitting);
        }
    }

    // ---------------------------------------------------------------- what is put in

    private static Put constant(Object constant) {
        ConstantValue value = ConstantValue.Simple.wrap(constant);
        return site -> {
            boolean fits = value.getTypeDescription().equals(site.result.asErasure());
            Check.argument(fits, "%s: is no constant of type %s", constant, site.result.getTypeName());
            return new Compound(site.dropped, value.toStackManipulation());
        };
    }

    private static Put callOf(Class<?> other, String name) {
        return site -> {
            MethodDescription insert = insert(other, name);
            boolean takesNone = insert.getParameters().isEmpty();
            int given = site.operands.size();
            boolean fits = takesNone || insert.getParameters().size() == given;
            Check.argument(fits, "%s: must have %d parameters, or none", insert, given);
            return new Compound(takesNone ? site.dropped : site.taken, invoke(insert, site.into, site.result));
        };
    }

    private static MethodDescription insert(Class<?> owner, String name) {
        var found = TypeDescription.ForLoadedType.of(owner)
                .getDeclaredMethods()
                .filter(isStatic().and(named(name)));
        Check.argument(found.size() == 1, "%s: must be one static method, there are %s", name, found);
        return found.getOnly();
    }

    /** Calls it, and makes what it answers what is wanted. */
    private static StackManipulation invoke(MethodDescription insert, TypeDescription into, TypeDefinition wanted) {
        // Else the mutant would fail by its access, and a test that is to find the fault would find that.
        boolean isSeen = !insert.isPrivate() && insert.isAccessibleTo(into);
        Check.argument(isSeen, "%s: must be public, or in the package of %s", insert, into);
        TypeDescription answered = insert.getReturnType().asErasure();
        boolean isSame = answered.equals(wanted.asErasure());
        boolean fits = isSame || !answered.isPrimitive() && !wanted.isPrimitive();
        Check.argument(fits, "%s: must answer %s", insert, wanted.getTypeName());
        return new Compound(MethodInvocation.invoke(insert), isSame ? Trivial.INSTANCE : TypeCasting.to(wanted));
    }

    // ---------------------------------------------------------------- the class

    /** The name of the class that it changes. */
    String type() {
        return place.type;
    }

    /** The class as it is built. */
    byte[] original() {
        try {
            return LOCATOR.locate(place.type).resolve();
        } catch (IOException | IllegalStateException e) {
            throw new AssertionError(this + ": there is no class " + place.type, e);
        }
    }

    /** @throws AssertionError if the method is not there, or not unique, or nothing in it is changed */
    byte[] change(byte[] code) {
        ClassFileLocator locator = new ClassFileLocator.Compound(ClassFileLocator.Simple.of(place.type, code), LOCATOR);
        TypeDescription type = TYPES.describe(place.type).resolve();
        var methods = type.getDeclaredMethods().filter(this::isMeant);
        if (methods.isEmpty() || isWhole && methods.size() > 1) {
            throw new AssertionError(this + ": must be one method, there are " + methods);
        }
        String lambdas = "lambda$" + place.method.replaceFirst("\\(.*", "") + "$";
        ElementMatcher<MethodDescription> isMeant =
                method -> methods.contains(method) || method.getName().startsWith(lambdas);
        try {
            byte[] changed = new ByteBuddy()
                    .decorate(type, locator)
                    .visit(new ForDeclaredMethods().invokable(isMeant, edit))
                    .make(TypeResolutionStrategy.Passive.INSTANCE, TYPES)
                    .getBytes();
            Check.argument(!Arrays.equals(plain(changed), plain(code)), "is not there, or changes nothing");
            return changed;
        } catch (IllegalArgumentException e) {
            throw new AssertionError(this + ": " + e.getMessage(), e);
        }
    }

    private boolean isMeant(MethodDescription method) {
        String name = method.isConstructor() ? "new" : method.getName();
        String parameters = method.getParameters().asTypeList().asErasures().stream()
                .map(TypeDescription::getSimpleName)
                .collect(Collectors.joining(",", "(", ")"));
        return !method.isBridge() && (place.method.equals(name) || place.method.equals(name + parameters));
    }

    /** Without line numbers, and with the constants in the order of their use. */
    private static byte[] plain(byte[] code) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        new ClassReader(code).accept(writer, ClassReader.SKIP_DEBUG);
        return writer.toByteArray();
    }

    private static String last(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    @Override
    public String toString() {
        return place + ": " + what;
    }
}
