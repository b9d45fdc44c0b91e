package io.quorate.spring;

import io.quorate.leaderonly.LeaderOnly;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanInitializationException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.StringValueResolver;
import org.springframework.util.function.SingletonSupplier;

/**
 * Puts the question who leads before each method that is {@link LeaderOnly}, with the advice of spring-aop. It checks
 * the methods of each bean when the bean is made, and lets their paths be contended for.
 */
final class LeaderOnlyPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

    private static final long serialVersionUID = 1L;

    // By name: few applications have these.
    private static final String PUBLISHER = "org.reactivestreams.Publisher";
    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    /** What calls a method with a message, and takes a skipped call for a message that is processed. */
    private static final List<String> RECEIVERS = List.of(
            // Those of Kafka, Rabbit, JMS and Pulsar carry this one.
            "org.springframework.messaging.handler.annotation.MessageMapping",
            "io.awspring.cloud.sqs.annotation.SqsHandler",
            "io.awspring.cloud.sqs.annotation.SqsListener",
            "org.apache.camel.Consume",
            "org.springframework.cloud.stream.annotation.StreamListener",
            "org.springframework.integration.annotation.Aggregator",
            "org.springframework.integration.annotation.Filter",
            "org.springframework.integration.annotation.Router",
            "org.springframework.integration.annotation.ServiceActivator",
            "org.springframework.integration.annotation.Splitter",
            "org.springframework.integration.annotation.Transformer");

    private static final List<String> LIFECYCLE =
            List.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");

    private final transient Supplier<LeaderLatches> latches;
    private final transient Map<MethodClassKey, String> paths = new ConcurrentHashMap<>();
    private transient StringValueResolver resolver = text -> text;

    LeaderOnlyPostProcessor(Supplier<LeaderLatches> latches) {
        // A method asks for them at each call, and a bean factory takes microseconds to find a bean.
        this.latches = SingletonSupplier.of(latches);
        this.advisor = new DefaultPointcutAdvisor(
                new AnnotationMatchingPointcut(null, LeaderOnly.class, true), (MethodInterceptor) this::invoke);
        // A skipped method begins no transaction.
        setBeforeExistingAdvisors(true);
        // A scheduled method need not stand in an interface.
        setProxyTargetClass(true);
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        super.setBeanFactory(beanFactory);
        if (beanFactory instanceof ConfigurableBeanFactory configurable) {
            resolver = new EmbeddedValueResolver(configurable);
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> type = AopUtils.getTargetClass(bean);
        if (AnnotationUtils.isCandidateClass(type, LeaderOnly.class)) {
            Map<Method, LeaderOnly> methods = MethodIntrospector.selectMethods(
                    type, (MethodIntrospector.MetadataLookup<LeaderOnly>) LeaderOnlyPostProcessor::annotation);
            checkAll(methods, type, beanName);
            methods.keySet().forEach(method -> latches.get().require(path(method, type)));
        }
        return super.postProcessAfterInitialization(bean, beanName);
    }

    private static @Nullable LeaderOnly annotation(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class);
    }

    private static void checkAll(Map<Method, LeaderOnly> methods, Class<?> type, String beanName) {
        List<String> faults = new ArrayList<>();
        methods.forEach((method, annotation) ->
                fault(method, type, annotation).ifPresent(rule -> faults.add(method.toGenericString() + ": " + rule)));
        if (!faults.isEmpty()) {
            throw new BeanInitializationException(
                    "@LeaderOnly of bean '" + beanName + "': " + String.join("; ", faults));
        }
    }

    private static Optional<String> fault(Method method, Class<?> type, LeaderOnly annotation) {
        int unseen = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL;
        Class<?> result = method.getReturnType();
        if ((method.getModifiers() & unseen) != 0 || Modifier.isFinal(type.getModifiers())) {
            return Optional.of("must not be private, static or final, nor in a final class: no proxy sees its calls");
        }
        if (result.isPrimitive() && result != void.class) {
            return Optional.of("must not return " + result + ", which cannot say that the method was skipped: return "
                    + "void, an object (null says so) or an Optional");
        }
        if (Future.class.isAssignableFrom(result)
                || CompletionStage.class.isAssignableFrom(result)
                || Flow.Publisher.class.isAssignableFrom(result)
                || isPublisher(result)) {
            return Optional.of("must not return " + result.getSimpleName()
                    + ", whose work goes on when the method has returned, and is not checked");
        }
        if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(type, Async.class)) {
            return Optional.of("must not be @Async: its work begins when the call has returned, and is not checked");
        }
        if (LIFECYCLE.stream().anyMatch(name -> AnnotatedElementUtils.isAnnotated(method, name))) {
            return Optional.of("must not be @PostConstruct or @PreDestroy: no proxy sees its calls");
        }
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        if (RECEIVERS.stream().anyMatch(annotations::isPresent)) {
            return Optional.of("must not receive messages: one that is skipped counts as processed, and is lost. Let "
                    + "the container of the listener run on the leader: make a LeaderLifecycle of it");
        }
        if (isSuspending(method)) {
            return Optional.of("must not be a suspend function, whose work goes on when the call has returned, and is "
                    + "not checked");
        }
        return annotation.value().isBlank() ? Optional.of("the path must not be blank") : Optional.empty();
    }

    /** Whether the compiler of Kotlin has made it of a function that may return before it has ended. */
    private static boolean isSuspending(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1].getName().equals(CONTINUATION);
    }

    private static boolean isPublisher(Class<?> type) {
        return type.getName().equals(PUBLISHER)
                || type.getSuperclass() != null && isPublisher(type.getSuperclass())
                || List.of(type.getInterfaces()).stream().anyMatch(LeaderOnlyPostProcessor::isPublisher);
    }

    private String path(Method method, Class<?> type) {
        return paths.computeIfAbsent(new MethodClassKey(method, type), key -> {
            LeaderOnly annotation = annotation(AopUtils.getMostSpecificMethod(method, type));
            String value = annotation == null ? "" : annotation.value();
            String resolved = resolver.resolveStringValue(value);
            return resolved == null ? "" : resolved;
        });
    }

    private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Method method = invocation.getMethod();
        Object target = invocation.getThis();
        Class<?> type = target == null ? method.getDeclaringClass() : AopUtils.getTargetClass(target);
        LedPath entered = latches.get().enter(path(method, type));
        if (entered == null) {
            return method.getReturnType() == Optional.class ? Optional.empty() : null;
        }
        try {
            return invocation.proceed();
        } finally {
            entered.leave();
        }
    }
}
