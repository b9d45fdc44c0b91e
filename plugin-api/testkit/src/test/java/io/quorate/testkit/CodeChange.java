package io.quorate.testkit;

import io.quorate.spi.Check;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A fault in the byte code of one method of a class. It is addressed by names, and so does not depend on how the method
 * is written.
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
 */
public final class CodeChange {

    private static final int API = Opcodes.ASM9;

    private final String type;
    private final String method;
    private final String what;
    private final Edit edit;
    /** Whether it changes the method as a whole. */
    private final boolean isWhole;

    /** Changes one method; counts in {@code found} each place that it has changed. */
    @FunctionalInterface
    private interface Edit {
        /** @return what takes the old code; null if it is dropped */
        MethodVisitor in(MethodVisitor out, Code code, Found found);
    }

    /** The method that is changed. */
    private record Code(int access, String name, String descriptor) {

        boolean isStatic() {
            return (access & Opcodes.ACC_STATIC) != 0;
        }
    }

    private static final class Found {
        private int count;
    }

    private CodeChange(Place place, String what, boolean isWhole, Edit edit) {
        this.type = place.type;
        this.method = place.method;
        this.what = what;
        this.isWhole = isWhole;
        this.edit = edit;
    }

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
    public static final class Place {
        private final String type;
        private final String method;

        private Place(String type, String method) {
            this.type = Objects.requireNonNull(type, "type");
            this.method = Objects.requireNonNull(method, "method");
        }

        /** It does nothing but answer this. */
        public CodeChange returns(Object constant) {
            return body(
                    "returns " + constant,
                    (out, code) -> pushConstant(out, Type.getReturnType(code.descriptor), constant));
        }

        /** It does nothing; if it has to answer something, it is 0, false or null. */
        public CodeChange doesNothing() {
            return body("does nothing", (out, code) -> pushDefault(out, Type.getReturnType(code.descriptor)));
        }

        /** A static method runs in place of it, with its object, if it has one, and its arguments; or with none. */
        public CodeChange runs(Class<?> other, String name) {
            return body("runs " + other.getSimpleName() + "." + name, (out, code) -> {
                Insert insert = insert(other, name);
                if (insert.parameters() > 0) {
                    pushArguments(out, code);
                }
                int given = Type.getArgumentTypes(code.descriptor).length + (code.isStatic() ? 0 : 1);
                insert.checkParameters(given);
                insert.write(out, type, Type.getReturnType(code.descriptor));
            });
        }

        /** It takes no monitor: its synchronized blocks do not exclude each other. */
        public CodeChange takesNoMonitor() {
            return new CodeChange(this, "takes no monitor", false, (out, code, found) -> new MethodVisitor(API, out) {
                @Override
                public void visitInsn(int opcode) {
                    if (opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT) {
                        found.count++;
                        super.visitInsn(Opcodes.POP);
                    } else {
                        super.visitInsn(opcode);
                    }
                }
            });
        }

        /** The calls of a method of this name; {@code Owner.name}, if only those of one class are meant. */
        public Use call(String name) {
            return new Use(this, "call of " + name, Use.Kind.CALL, name, null);
        }

        /** The reading of a field of this name; {@code Owner.name}, if only that of one class is meant. */
        public Use read(String field) {
            return new Use(this, "reading of " + field, Use.Kind.READ, field, null);
        }

        /** The writing of a field of this name; {@code Owner.name}, if only that of one class is meant. */
        public Use write(String field) {
            return new Use(this, "writing of " + field, Use.Kind.WRITE, field, null);
        }

        /** The number, which the compiler puts there also for the name of a constant. */
        public Use constant(int number) {
            return new Use(this, "constant " + number, Use.Kind.CONSTANT, "", number);
        }

        /** The number, which the compiler puts there also for the name of a constant. */
        public Use constant(long number) {
            return new Use(this, "constant " + number, Use.Kind.CONSTANT, "", number);
        }

        private CodeChange body(String what, BiConsumer<MethodVisitor, Code> write) {
            return new CodeChange(this, what, true, (out, code, found) -> {
                if (code.name.startsWith("lambda$") || (code.access & Opcodes.ACC_ABSTRACT) != 0) {
                    return out;
                }
                found.count++;
                Check.argument(!code.name.startsWith("<"), "%s: is a constructor", this);
                out.visitCode();
                write.accept(out, code);
                out.visitInsn(Type.getReturnType(code.descriptor).getOpcode(Opcodes.IRETURN));
                out.visitMaxs(0, 0);
                out.visitEnd();
                return null;
            });
        }

        @Override
        public String toString() {
            return type.substring(type.lastIndexOf('.') + 1) + "." + method;
        }
    }

    /** Instructions of one kind in a method. */
    public static final class Use {

        private enum Kind {
            CALL,
            READ,
            WRITE,
            CONSTANT
        }

        private final Place place;
        private final String what;
        private final Kind kind;
        private final String name;
        private final Number number;

        private Use(Place place, String what, Kind kind, String name, Number number) {
            this.place = place;
            this.what = what;
            this.kind = kind;
            this.name = name;
            this.number = number;
        }

        /** It does not happen, and its result is this. */
        public CodeChange answers(Object constant) {
            return change("answers " + constant, (out, found) -> {
                found.popAll(out);
                pushConstant(out, found.result, constant);
            });
        }

        /** It does not happen; if it has a result, that is 0, false or null. */
        public CodeChange isLeftOut() {
            return change("is left out", (out, found) -> {
                found.popAll(out);
                pushDefault(out, found.result);
            });
        }

        /** A static method runs in place of it, with its object, if it has one, and its arguments; or with none. */
        public CodeChange runs(Class<?> other, String method) {
            return change("runs " + other.getSimpleName() + "." + method, (out, found) -> {
                Insert insert = insert(other, method);
                insert.checkParameters(found.operands.size());
                if (insert.parameters() == 0) {
                    found.popAll(out);
                }
                insert.write(out, place.type, found.result);
            });
        }

        /** Another method or field of the same class and type takes the place of it. */
        public CodeChange becomes(String other) {
            return change("becomes " + other, (out, found) -> found.named.accept(other));
        }

        /** Its result, or the value that is written, passes through a static method with one parameter. */
        public CodeChange passes(Class<?> other, String method) {
            return change("passes " + other.getSimpleName() + "." + method, (out, found) -> {
                Insert insert = insert(other, method);
                Check.argument(insert.parameters() == 1, "%s: must have one parameter", insert);
                if (kind == Kind.WRITE) {
                    insert.write(out, place.type, found.operands.get(found.operands.size() - 1));
                    found.original.run();
                } else {
                    Check.argument(found.result != Type.VOID_TYPE, "%s: has no result", what);
                    found.original.run();
                    insert.write(out, place.type, found.result);
                }
            });
        }

        private CodeChange change(String how, BiConsumer<MethodVisitor, Instruction> write) {
            return new CodeChange(
                    place, what + " " + how, false, (out, code, found) -> new Uses(out, found, this, write));
        }

        private boolean isMeant(String owner, String called) {
            int dot = name.lastIndexOf('.');
            return called.equals(name.substring(dot + 1))
                    && (dot < 0 || simple(owner).equals(name.substring(0, dot)));
        }
    }

    /**
     * One instruction that is changed: what it takes from the stack, what it leaves there, how to write it, and how to
     * write it with another name.
     */
    private record Instruction(List<Type> operands, Type result, Runnable original, Consumer<String> named) {

        void popAll(MethodVisitor out) {
            for (int i = operands.size() - 1; i >= 0; i--) {
                out.visitInsn(operands.get(i).getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
            }
        }
    }

    /** Finds the instructions. */
    private static final class Uses extends MethodVisitor {
        private final Found found;
        private final Use use;
        private final BiConsumer<MethodVisitor, Instruction> write;

        private Uses(MethodVisitor out, Found found, Use use, BiConsumer<MethodVisitor, Instruction> write) {
            super(API, out);
            this.found = found;
            this.use = use;
            this.write = write;
        }

        private void change(List<Type> operands, Type result, Runnable original, Consumer<String> named) {
            found.count++;
            write.accept(mv, new Instruction(operands, result, original, named));
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            Runnable original = () -> super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            if (use.kind != Use.Kind.CALL || name.startsWith("<") || !use.isMeant(owner, name)) {
                original.run();
                return;
            }
            List<Type> operands = new ArrayList<>();
            if (opcode != Opcodes.INVOKESTATIC) {
                operands.add(Type.getObjectType(owner));
            }
            operands.addAll(List.of(Type.getArgumentTypes(descriptor)));
            change(operands, Type.getReturnType(descriptor), original, other -> {
                checkIsThere(
                        owner,
                        type -> Arrays.stream(type.getDeclaredMethods())
                                .anyMatch(m -> m.getName().equals(other)
                                        && Type.getMethodDescriptor(m).equals(descriptor)),
                        other);
                super.visitMethodInsn(opcode, owner, other, descriptor, isInterface);
            });
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            boolean isRead = opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC;
            Runnable original = () -> super.visitFieldInsn(opcode, owner, name, descriptor);
            if (use.kind != (isRead ? Use.Kind.READ : Use.Kind.WRITE) || !use.isMeant(owner, name)) {
                original.run();
                return;
            }
            List<Type> operands = new ArrayList<>();
            if (opcode == Opcodes.GETFIELD || opcode == Opcodes.PUTFIELD) {
                operands.add(Type.getObjectType(owner));
            }
            if (!isRead) {
                operands.add(Type.getType(descriptor));
            }
            change(operands, isRead ? Type.getType(descriptor) : Type.VOID_TYPE, original, other -> {
                checkIsThere(
                        owner,
                        type -> Arrays.stream(type.getDeclaredFields())
                                .anyMatch(f -> f.getName().equals(other)
                                        && Type.getDescriptor(f.getType()).equals(descriptor)),
                        other);
                super.visitFieldInsn(opcode, owner, other, descriptor);
            });
        }

        private void onConstant(Number number, Runnable original) {
            if (number.equals(use.number)) {
                change(List.of(), number instanceof Long ? Type.LONG_TYPE : Type.INT_TYPE, original, other -> {
                    throw new IllegalArgumentException("a constant has no name");
                });
            } else {
                original.run();
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5) {
                onConstant(opcode - Opcodes.ICONST_0, () -> super.visitInsn(opcode));
            } else if (opcode == Opcodes.LCONST_0 || opcode == Opcodes.LCONST_1) {
                onConstant((long) opcode - Opcodes.LCONST_0, () -> super.visitInsn(opcode));
            } else {
                super.visitInsn(opcode);
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            if (opcode == Opcodes.NEWARRAY) {
                super.visitIntInsn(opcode, operand);
            } else {
                onConstant(operand, () -> super.visitIntInsn(opcode, operand));
            }
        }

        @Override
        public void visitLdcInsn(Object value) {
            if (value instanceof Number number) {
                onConstant(number, () -> super.visitLdcInsn(value));
            } else {
                super.visitLdcInsn(value);
            }
        }
    }

    // Else the mutant would fail because of that.
    private static void checkIsThere(String owner, Predicate<Class<?>> hasIt, String name) {
        try {
            Class<?> type = Class.forName(owner.replace('/', '.'), false, CodeChange.class.getClassLoader());
            while (type != null && !hasIt.test(type)) {
                type = type.getSuperclass();
            }
            Check.argument(type != null, "%s: %s has none of that type", name, simple(owner));
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(owner + ": there is no such class", e);
        }
    }

    // ---------------------------------------------------------------- what is put in

    private static void pushArguments(MethodVisitor out, Code code) {
        int slot = 0;
        if (!code.isStatic()) {
            out.visitVarInsn(Opcodes.ALOAD, slot++);
        }
        for (Type argument : Type.getArgumentTypes(code.descriptor)) {
            out.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), slot);
            slot += argument.getSize();
        }
    }

    private static void pushDefault(MethodVisitor out, Type wanted) {
        switch (wanted.getSort()) {
            case Type.VOID -> {
                // Nothing to answer.
            }
            case Type.LONG -> out.visitInsn(Opcodes.LCONST_0);
            case Type.FLOAT -> out.visitInsn(Opcodes.FCONST_0);
            case Type.DOUBLE -> out.visitInsn(Opcodes.DCONST_0);
            case Type.ARRAY, Type.OBJECT -> out.visitInsn(Opcodes.ACONST_NULL);
            default -> out.visitInsn(Opcodes.ICONST_0);
        }
    }

    private static void pushConstant(MethodVisitor out, Type wanted, Object constant) {
        boolean fits =
                switch (wanted.getSort()) {
                    case Type.BOOLEAN -> constant instanceof Boolean;
                    case Type.INT -> constant instanceof Integer;
                    case Type.LONG -> constant instanceof Long;
                    case Type.DOUBLE -> constant instanceof Double;
                    case Type.OBJECT ->
                        constant instanceof String && wanted.getInternalName().equals("java/lang/String");
                    default -> false;
                };
        Check.argument(fits, "%s: is no constant of type %s", constant, wanted.getClassName());
        out.visitLdcInsn(constant instanceof Boolean is ? Integer.valueOf(is ? 1 : 0) : constant);
    }

    /** A static method of a test. */
    private record Insert(Method method) {

        int parameters() {
            return method.getParameterCount();
        }

        void checkParameters(int given) {
            Check.argument(
                    parameters() == 0 || parameters() == given, "%s: must have %d parameters, or none", this, given);
        }

        /** Calls it, and makes what it answers what is wanted. */
        void write(MethodVisitor out, String into, Type wanted) {
            checkAccess(into);
            Type answered = Type.getType(method.getReturnType());
            boolean isReference = wanted.getSort() >= Type.ARRAY;
            Check.argument(
                    answered.equals(wanted) || isReference && answered.getSort() >= Type.ARRAY,
                    "%s: must answer %s",
                    this,
                    wanted.getClassName());
            out.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    Type.getInternalName(method.getDeclaringClass()),
                    method.getName(),
                    Type.getMethodDescriptor(method),
                    method.getDeclaringClass().isInterface());
            if (!answered.equals(wanted)) {
                out.visitTypeInsn(Opcodes.CHECKCAST, wanted.getInternalName());
            }
        }

        // Else the mutant would fail by its access, and a test that is to find the fault would find that.
        private void checkAccess(String into) {
            Class<?> owner = method.getDeclaringClass();
            boolean isPublic = Modifier.isPublic(owner.getModifiers()) && Modifier.isPublic(method.getModifiers());
            boolean isOfPackage = into.substring(0, into.lastIndexOf('.')).equals(owner.getPackageName())
                    && !Modifier.isPrivate(method.getModifiers());
            Check.argument(isPublic || isOfPackage, "%s: must be public, or in the package of %s", this, into);
        }

        @Override
        public String toString() {
            return method.getDeclaringClass().getSimpleName() + "." + method.getName();
        }
    }

    private static Insert insert(Class<?> owner, String name) {
        List<Method> found = Arrays.stream(owner.getDeclaredMethods())
                .filter(method -> method.getName().equals(name) && Modifier.isStatic(method.getModifiers()))
                .toList();
        Check.argument(
                found.size() == 1,
                "%s.%s: must be one static method, there are %d",
                owner.getSimpleName(),
                name,
                found.size());
        return new Insert(found.get(0));
    }

    // ---------------------------------------------------------------- the class

    /** The name of the class that it changes. */
    String type() {
        return type;
    }

    /** The class as it is built. */
    byte[] original() {
        try (InputStream in =
                CodeChange.class.getClassLoader().getResourceAsStream(type.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new AssertionError(this + ": there is no class " + type);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(this + ": cannot read " + type, e);
        }
    }

    /** @throws AssertionError if the method is not there, or not unique, or nothing in it is changed */
    byte[] change(byte[] code) {
        ClassReader reader = new ClassReader(code);
        List<String> methods = methods(reader);
        if (methods.isEmpty() || isWhole && methods.size() > 1) {
            throw new AssertionError(this + ": must be one method, there are " + methods);
        }
        String name = methods.get(0).substring(0, methods.get(0).indexOf('('));
        String lambdas = "lambda$" + name.replace("<init>", "new") + "$";
        Found found = new Found();
        // Frames stay as they are: what takes the place of an instruction leaves the same on the stack.
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        try {
            reader.accept(
                    new ClassVisitor(API, writer) {
                        @Override
                        public MethodVisitor visitMethod(
                                int access, String called, String descriptor, String signature, String[] exceptions) {
                            MethodVisitor out = super.visitMethod(access, called, descriptor, signature, exceptions);
                            boolean isMeant = methods.contains(called + descriptor) || called.startsWith(lambdas);
                            return isMeant ? edit.in(out, new Code(access, called, descriptor), found) : out;
                        }
                    },
                    0);
        } catch (IllegalArgumentException e) {
            throw new AssertionError(this + ": " + e.getMessage(), e);
        }
        if (found.count == 0) {
            throw new AssertionError(this + ": is not there");
        }
        byte[] changed = writer.toByteArray();
        if (Arrays.equals(plain(changed), plain(code))) {
            throw new AssertionError(this + ": changes nothing");
        }
        return changed;
    }

    /** Without line numbers, and with the constants in the order of their use. */
    private static byte[] plain(byte[] code) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        new ClassReader(code).accept(writer, ClassReader.SKIP_DEBUG);
        return writer.toByteArray();
    }

    /** The names and the descriptors of the methods that are meant. */
    private List<String> methods(ClassReader reader) {
        String wanted = method.replaceFirst("^new\\b", "<init>");
        List<String> found = new ArrayList<>();
        reader.accept(
                new ClassVisitor(API) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        boolean isBridge = (access & Opcodes.ACC_BRIDGE) != 0;
                        String full = name
                                + Arrays.stream(Type.getArgumentTypes(descriptor))
                                        .map(CodeChange::simple)
                                        .collect(Collectors.joining(",", "(", ")"));
                        if (!isBridge && (wanted.equals(name) || wanted.equals(full))) {
                            found.add(name + descriptor);
                        }
                        return null;
                    }
                },
                ClassReader.SKIP_CODE);
        return found;
    }

    private static String simple(Type type) {
        return simple(type.getClassName().replace('.', '/'));
    }

    private static String simple(String internalName) {
        return internalName.substring(Math.max(internalName.lastIndexOf('/'), internalName.lastIndexOf('$')) + 1);
    }

    @Override
    public String toString() {
        return new Place(type, method) + ": " + what;
    }
}
