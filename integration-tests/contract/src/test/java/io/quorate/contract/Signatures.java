package io.quorate.contract;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a class promises to those who call or extend it, one line each: its kind and supertypes, its constants in order,
 * and its public and protected constructors, methods and fields with everything that stands before the body.
 */
final class Signatures {

    private static final Map<String, String> NAMES =
            Map.of("CuratorFrameworkState", "ElectionClient.State", "CuratorFramework", "ElectionClient");

    private Signatures() {}

    /** What is only in Curator's class begins with {@code "- "}, what is only in ours with {@code "+ "}. */
    static Set<String> differences(Class<?> curator, Class<?> quorate, Predicate<String> isMemberCompared) {
        Set<String> before = of(curator, isMemberCompared);
        Set<String> after = of(quorate, name -> true);
        Set<String> differences = new TreeSet<>();
        before.stream().filter(line -> !after.contains(line)).forEach(line -> differences.add("- " + line));
        after.stream().filter(line -> !before.contains(line)).forEach(line -> differences.add("+ " + line));
        return differences;
    }

    private static Set<String> of(Class<?> type, Predicate<String> isMemberCompared) {
        String name = simple(type.getTypeName());
        Set<String> lines = new TreeSet<>();
        lines.add(name + ": " + declaration(type));
        if (type.isEnum()) {
            lines.add(name + ": constants " + Arrays.toString(type.getEnumConstants()));
        }
        members(type)
                .filter(Signatures::isVisible)
                .filter(member -> member instanceof Executable method && isConstructor(method)
                        || isMemberCompared.test(member.getName()))
                .forEach(member -> lines.add(name + ": " + signature(member)));
        return lines;
    }

    private static String declaration(Class<?> type) {
        Stream<Type> interfaces = Arrays.stream(type.getGenericInterfaces());
        String supertypes = Stream.concat(Stream.ofNullable(type.getGenericSuperclass()), interfaces)
                .map(supertype -> simple(supertype.getTypeName()))
                .sorted()
                .collect(Collectors.joining(", "));
        return simple(type.toGenericString()) + (supertypes.isEmpty() ? "" : " extends " + supertypes);
    }

    private static Stream<Member> members(Class<?> type) {
        return Stream.of(type.getDeclaredConstructors(), type.getDeclaredMethods(), type.getDeclaredFields())
                .flatMap(Arrays::stream);
    }

    private static boolean isVisible(Member member) {
        return !member.isSynthetic() && (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
    }

    private static boolean isConstructor(Executable executable) {
        return !(executable instanceof Method);
    }

    private static String signature(Member member) {
        String text = simple(generic((AnnotatedElement) member));
        String owner = simple(member.getDeclaringClass().getTypeName());
        String unqualified = text.replace(" " + owner + "." + member.getName(), " " + member.getName());
        // Every method of an interface without a body is abstract; that it is an interface is said once.
        return member.getDeclaringClass().isInterface()
                ? unqualified.replace("public abstract ", "public ")
                : unqualified;
    }

    private static String generic(AnnotatedElement member) {
        return member instanceof Executable executable ? executable.toGenericString() : member.toString();
    }

    /** Without packages, and with our names for Curator's types. */
    private static String simple(String text) {
        String names = text.replaceAll("\\b([a-z]\\w*\\.)+(?=[A-Z])", "").replace('$', '.');
        for (String name : new TreeSet<>(NAMES.keySet()).descendingSet()) {
            names = names.replaceAll("\\b" + name + "\\b", NAMES.get(name));
        }
        return names;
    }
}
