package io.quorate.cdi;

import io.quorate.leaderonly.LeaderOnly;
import jakarta.enterprise.inject.build.compatible.spi.BeanInfo;
import jakarta.enterprise.lang.model.AnnotationInfo;
import jakarta.enterprise.lang.model.AnnotationTarget;
import jakarta.enterprise.lang.model.declarations.ClassInfo;
import jakarta.enterprise.lang.model.declarations.MethodInfo;
import jakarta.enterprise.lang.model.declarations.ParameterInfo;
import jakarta.enterprise.lang.model.types.Type;
import jakarta.interceptor.InterceptorBinding;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The leader-only methods of a bean's class.
 *
 * @param methods those that are right
 * @param faults  what is wrong with the others
 */
record LeaderOnlyMethods(List<Method> methods, List<String> faults) {

    /**
     * A method.
     *
     * @param name    as the scheduler of Quarkus has it: {@code com.example.Job#run}
     * @param path    as it is written
     * @param channel of which it takes messages; empty if it takes none
     */
    record Method(String name, String path, String channel) {}

    /** Their work goes on when a method that returns them has returned. */
    private static final Set<String> UNFINISHED = Set.of(
            "java.util.concurrent.Future",
            "java.util.concurrent.CompletionStage",
            "java.util.concurrent.Flow$Publisher",
            "org.reactivestreams.Publisher",
            "io.smallrye.mutiny.Uni");

    /** A method or class with one of these works on another thread. */
    private static final Set<String> ASYNCHRONOUS = Set.of(
            "jakarta.ejb.Asynchronous",
            "jakarta.enterprise.concurrent.Asynchronous",
            "org.eclipse.microprofile.faulttolerance.Asynchronous");

    /** The container calls a method with one of these past its interceptors. */
    private static final Set<String> OF_THE_CONTAINER =
            Set.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");

    /** A method with this one takes the messages of a channel, which {@link LeaderChannels} pauses. */
    static final String INCOMING = "org.eclipse.microprofile.reactive.messaging.Incoming";

    private static final String BLOCKING = "io.smallrye.reactive.messaging.annotations.Blocking";

    /** With one of these on a method or its class, Quarkus takes messages as with {@code ordered = false}. */
    private static final Set<String> VIRTUAL = Set.of("io.smallrye.common.annotation.RunOnVirtualThread");

    /** They call a method with a message, and take a skipped call for a message that is processed. */
    private static final Set<String> RECEIVERS = Set.of(
            "io.quarkus.vertx.ConsumeEvent",
            "org.eclipse.microprofile.reactive.messaging.Incomings",
            "io.smallrye.reactive.messaging.annotations.Incomings");

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    static LeaderOnlyMethods of(BeanInfo bean) {
        LeaderOnlyMethods found = new LeaderOnlyMethods(new ArrayList<>(), new ArrayList<>());
        if (bean.isClassBean()) {
            ClassInfo type = bean.declaringClass();
            Collection<MethodInfo> all = type.methods();
            all.stream()
                    .filter(method -> annotation(method).isPresent())
                    .forEach(method -> found.take(type, method, own(type, method, all)));
        }
        return found;
    }

    private void take(ClassInfo type, MethodInfo annotated, Optional<MethodInfo> own) {
        String path = own.flatMap(LeaderOnlyMethods::annotation)
                .map(annotation -> annotation.value().asString())
                .orElse("");
        Optional<String> fault = own.isEmpty() || annotation(own.get()).isEmpty()
                ? Optional.of(
                        "the annotation must stand on the method of the bean's class itself, because CDI does not "
                                + "look at interfaces and overridden methods")
                : fault(own.get(), type, path);
        if (fault.isPresent()) {
            faults.add("@LeaderOnly of " + annotated.declaringClass().name() + "." + annotated.name() + ", bean "
                    + type.name() + ": " + fault.get());
            return;
        }
        String channel = annotation(own.get(), INCOMING)
                .map(incoming -> incoming.value().asString())
                .orElse("");
        Method right = new Method(type.name() + "#" + annotated.name(), path, channel);
        if (!methods.contains(right)) {
            methods.add(right);
        }
    }

    // ---------------------------------------------------------------- which method, and its annotation

    /** The method that a call of {@code called} on the bean comes to; none if only interfaces have it. */
    private static Optional<MethodInfo> own(ClassInfo type, MethodInfo called, Collection<MethodInfo> all) {
        for (ClassInfo at = type; at != null; at = at.superClassDeclaration()) {
            String declaring = at.name();
            Optional<MethodInfo> found = all.stream()
                    .filter(method -> method.declaringClass().name().equals(declaring))
                    .filter(method -> isSame(method, called))
                    .findFirst();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    // Weld 6.0 does not know the parameters of an interface's method.
    private static boolean isSame(MethodInfo method, MethodInfo called) {
        return method.name().equals(called.name())
                && (called.declaringClass().isInterface() || parameters(method).equals(parameters(called)));
    }

    private static List<String> parameters(MethodInfo method) {
        return method.parameters().stream()
                .map(ParameterInfo::type)
                .map(Type::toString)
                .toList();
    }

    /** Where the annotation stands on another annotation, that one is a binding of interceptors as well. */
    private static Optional<AnnotationInfo> annotation(MethodInfo method) {
        return Optional.ofNullable(method.annotation(LeaderOnly.class)).or(() -> method.annotations().stream()
                .map(annotation -> annotation.declaration().annotation(LeaderOnly.class))
                .filter(annotation -> annotation != null)
                .findFirst());
    }

    // ---------------------------------------------------------------- what is wrong

    private static Optional<String> fault(MethodInfo method, ClassInfo type, String path) {
        boolean isUnseen = Modifier.isPrivate(method.modifiers()) || method.isStatic() || method.isFinal();
        if (isUnseen || type.isFinal()) {
            return Optional.of(
                    "must not be private, static or final, nor in a final class: no interceptor sees its calls");
        }
        if (hasAny(OF_THE_CONTAINER, method)) {
            return Optional.of("must not be @PostConstruct or @PreDestroy: no interceptor sees its calls");
        }
        Type result = method.returnType();
        if (result.isPrimitive()) {
            return Optional.of("must not return " + result.asPrimitive().name()
                    + ", which cannot say that the method was skipped: return void, an object (null says so) or an "
                    + "Optional");
        }
        if (declaration(result).filter(LeaderOnlyMethods::isUnfinished).isPresent()) {
            return Optional.of("must not return " + declaration(result).get().simpleName()
                    + ", whose work goes on when the method has returned, and is not checked");
        }
        if (hasAny(ASYNCHRONOUS, method) || hasAny(ASYNCHRONOUS, type)) {
            return Optional.of(
                    "must not be @Asynchronous: its work begins when the call has returned, and is not checked");
        }
        if (hasAny(RECEIVERS, method) || annotation(method, INCOMING).isPresent() && !QuorateExtension.hasChannels()) {
            return Optional.of("must not receive messages: one that is skipped counts as processed, and is lost. "
                    + "Only one channel of SmallRye Reactive Messaging, by @Incoming, pauses where this process does "
                    + "not lead");
        }
        boolean isOnVirtualThread = hasAny(VIRTUAL, method) || hasAny(VIRTUAL, method.declaringClass());
        boolean isOrdered = annotation(method, BLOCKING).stream()
                .allMatch(each -> each.member("ordered").asBoolean());
        if (!isOrdered || isOnVirtualThread && annotation(method, INCOMING).isPresent()) {
            return Optional.of("must not take messages with @Blocking(ordered = false) or @RunOnVirtualThread: those "
                    + "that wait for a thread would begin after the channel has paused, while the next process leads");
        }
        if (isSuspending(method)) {
            return Optional.of("must not be a suspend function, whose work goes on when the call has returned, and is "
                    + "not checked");
        }
        if (method.annotation(LeaderOnly.class) == null && !isBound(method)) {
            return Optional.of("the annotation that carries it must be an @InterceptorBinding too");
        }
        return path.isBlank() ? Optional.of("the path must not be blank") : Optional.empty();
    }

    private static Optional<AnnotationInfo> annotation(MethodInfo method, String name) {
        return method.annotations().stream()
                .filter(annotation -> annotation.name().equals(name))
                .findFirst();
    }

    private static Optional<ClassInfo> declaration(Type type) {
        if (type.isClass()) {
            return Optional.of(type.asClass().declaration());
        }
        return type.isParameterizedType()
                ? Optional.of(type.asParameterizedType().declaration())
                : Optional.empty();
    }

    private static boolean isUnfinished(ClassInfo type) {
        return UNFINISHED.contains(type.name())
                || Stream.concat(
                                Stream.ofNullable(type.superClassDeclaration()),
                                type.superInterfacesDeclarations().stream())
                        .anyMatch(LeaderOnlyMethods::isUnfinished);
    }

    private static boolean hasAny(Set<String> annotations, AnnotationTarget target) {
        return target.asDeclaration().annotations().stream()
                .map(AnnotationInfo::name)
                .anyMatch(annotations::contains);
    }

    /** Whether the compiler of Kotlin has made it of a function that may return before it has ended. */
    private static boolean isSuspending(MethodInfo method) {
        List<ParameterInfo> parameters = method.parameters();
        return !parameters.isEmpty()
                && declaration(parameters.get(parameters.size() - 1).type())
                        .filter(type -> type.name().equals(CONTINUATION))
                        .isPresent();
    }

    private static boolean isBound(MethodInfo method) {
        return method.annotations().stream()
                .map(AnnotationInfo::declaration)
                .anyMatch(annotation -> annotation.hasAnnotation(LeaderOnly.class)
                        && annotation.hasAnnotation(InterceptorBinding.class));
    }
}
