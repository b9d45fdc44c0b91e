package io.quorate.testkit;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Repeats a test in real time that has failed while the machine stood still, on a new instance of its class: what
 * nodes do in time says nothing then. A test that fails without a stall is not repeated, and a true fault fails each
 * time.
 *
 * <p>Each attempt has new directories in the fields of its class and the parameters of the test that are a
 * {@link TempDir}.
 */
public final class RepeatedWhenStalled implements InvocationInterceptor {

    static final int ATTEMPTS_MAX = 4;

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(RepeatedWhenStalled.class);
    private static final String PUT_AWAY = "put away";

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> test, ExtensionContext context)
            throws Throwable {
        attempts(invocation, test, context);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> test, ExtensionContext context)
            throws Throwable {
        attempts(invocation, test, context);
    }

    /** What a repeated test has left behind was put away before the second attempt. */
    @Override
    public void interceptAfterEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> after, ExtensionContext context)
            throws Throwable {
        if (context.getStore(NAMESPACE).get(PUT_AWAY) == null) {
            invocation.proceed();
        } else {
            invocation.skip();
        }
    }

    @FunctionalInterface
    private interface Attempt {
        void run() throws Throwable;
    }

    private static void attempts(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> test, ExtensionContext context)
            throws Throwable {
        if (succeeds(1, context, invocation::proceed)) {
            return;
        }
        context.getStore(NAMESPACE).put(PUT_AWAY, true);
        invokeAll(AfterEach.class, HierarchyTraversalMode.BOTTOM_UP, context.getRequiredTestInstance());
        for (int number = 2; !succeeds(number, context, () -> again(test, context)); number++) {
            // The last attempt succeeds or throws.
        }
    }

    /** @return {@code false} if it has failed and is worth another attempt */
    private static boolean succeeds(int number, ExtensionContext context, Attempt attempt) throws Throwable {
        long begin = StallWatch.begin();
        try {
            attempt.run();
            return true;
        } catch (Exception | AssertionError e) {
            long stalled = StallWatch.longestSince(begin);
            if (stalled == 0 || number == ATTEMPTS_MAX) {
                throw e;
            }
            System.out.printf(
                    "%s: attempt %d failed while the machine stood still for %d ms: %s%n",
                    context.getUniqueId(), number, stalled / 1_000_000, e);
            return false;
        }
    }

    private static void again(ReflectiveInvocationContext<Method> test, ExtensionContext context) throws Throwable {
        Object instance = newInstance(context);
        fillDirectories(context.getRequiredTestInstance(), instance);
        try {
            invokeAll(BeforeEach.class, HierarchyTraversalMode.TOP_DOWN, instance);
            ReflectionSupport.invokeMethod(test.getExecutable(), instance, arguments(test));
        } finally {
            invokeAll(AfterEach.class, HierarchyTraversalMode.BOTTOM_UP, instance);
        }
    }

    /** JUnit fills the fields of the first instance only, and deletes what is in them. */
    private static void fillDirectories(Object first, Object instance)
            throws ReflectiveOperationException, IOException {
        for (Field field : AnnotationSupport.findAnnotatedFields(first.getClass(), TempDir.class)) {
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                field.set(instance, Files.createTempDirectory((Path) field.get(first), "attempt"));
            }
        }
    }

    private static Object[] arguments(ReflectiveInvocationContext<Method> test) throws IOException {
        Object[] arguments = test.getArguments().toArray();
        for (int i = 0; i < arguments.length; i++) {
            if (test.getExecutable().getParameters()[i].isAnnotationPresent(TempDir.class)) {
                arguments[i] = Files.createTempDirectory((Path) arguments[i], "attempt");
            }
        }
        return arguments;
    }

    private static Object newInstance(ExtensionContext context) throws Throwable {
        List<Object> enclosing = context.getRequiredTestInstances().getEnclosingInstances();
        Class<?> type = context.getRequiredTestClass();
        if (enclosing.isEmpty()) {
            return ReflectionSupport.newInstance(type);
        }
        // By the class that declares it: the instance around it may be of one that inherits it.
        Constructor<?> constructor = type.getDeclaredConstructor(type.getDeclaringClass());
        constructor.setAccessible(true);
        try {
            return constructor.newInstance(enclosing.get(enclosing.size() - 1));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void invokeAll(Class<? extends Annotation> kind, HierarchyTraversalMode order, Object instance) {
        AnnotationSupport.findAnnotatedMethods(instance.getClass(), kind, order)
                .forEach(method -> ReflectionSupport.invokeMethod(method, instance));
    }
}
