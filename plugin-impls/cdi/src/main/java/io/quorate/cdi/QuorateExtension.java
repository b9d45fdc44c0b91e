package io.quorate.cdi;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.leaderonly.LeaderOnly;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.build.compatible.spi.AnnotationBuilder;
import jakarta.enterprise.inject.build.compatible.spi.BeanInfo;
import jakarta.enterprise.inject.build.compatible.spi.BuildCompatibleExtension;
import jakarta.enterprise.inject.build.compatible.spi.ClassConfig;
import jakarta.enterprise.inject.build.compatible.spi.Discovery;
import jakarta.enterprise.inject.build.compatible.spi.Enhancement;
import jakarta.enterprise.inject.build.compatible.spi.Messages;
import jakarta.enterprise.inject.build.compatible.spi.MetaAnnotations;
import jakarta.enterprise.inject.build.compatible.spi.ObserverInfo;
import jakarta.enterprise.inject.build.compatible.spi.Registration;
import jakarta.enterprise.inject.build.compatible.spi.ScannedClasses;
import jakarta.enterprise.inject.build.compatible.spi.Synthesis;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticComponents;
import jakarta.enterprise.lang.model.AnnotationInfo;
import jakarta.enterprise.lang.model.declarations.ParameterInfo;
import jakarta.enterprise.util.Nonbinding;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Tells a container of CDI, when the application is built or deployed, which beans there are beside those of the
 * application. Containers find it by themselves; it is not for applications.
 */
public class QuorateExtension implements BuildCompatibleExtension {

    private static final Set<String> ANY_CLIENT =
            Set.of(Default.class.getName(), Any.class.getName(), Named.class.getName());

    private static final Set<String> EVENTS =
            Set.of(LeadershipGained.class.getName(), LeadershipLost.class.getName(), LeaderChanged.class.getName());

    /** Paths as they are written. */
    private final Set<String> injected = new TreeSet<>();

    private final Set<String> led = new TreeSet<>();
    private final Set<String> watched = new TreeSet<>();
    /** By turns a method and its path. */
    private final List<String> methods = new ArrayList<>();
    /** Of which leader-only methods take messages, with their paths. */
    private final Map<String, String> channels = new TreeMap<>();

    private boolean hasClient;

    /** For the container. */
    public QuorateExtension() {}

    /**
     * Adds our beans, and those for libraries that are there.
     *
     * @param classes     of the application
     * @param annotations with a meaning in CDI
     */
    @Discovery
    public void discover(ScannedClasses classes, MetaAnnotations annotations) {
        Stream.of(
                        ConfigSettings.class,
                        ClientLifecycle.class,
                        LeaderEvents.class,
                        LeaderLatches.class,
                        LeaderOnlyInterceptor.class)
                .map(Class::getName)
                .forEach(classes::add);
        if (isThere("org.eclipse.microprofile.health.HealthCheck")) {
            classes.add("io.quorate.cdi.NodeHealth");
        }
        if (isThere("io.quarkus.scheduler.Scheduled$SkipPredicate")) {
            classes.add("io.quorate.cdi.NotLeader");
        }
        if (hasChannels()) {
            classes.add("io.quorate.cdi.LeaderChannels");
        }
        // Quarkus looks into no jar that does not ask for it.
        annotations.addQualifier(LeaderPath.class);
        annotations
                .addInterceptorBinding(LeaderOnly.class)
                .methods()
                .forEach(value -> value.addAnnotation(Nonbinding.class));
    }

    /** Whether the application has channels that can be paused. */
    static boolean hasChannels() {
        return isThere("io.smallrye.reactive.messaging.PausableChannel");
    }

    private static boolean isThere(String type) {
        try {
            Class.forName(type, false, QuorateExtension.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /**
     * Binds the interceptor.
     *
     * @param interceptor ours
     */
    @Enhancement(types = LeaderOnlyInterceptor.class)
    public void bind(ClassConfig interceptor) {
        interceptor.addAnnotation(
                AnnotationBuilder.of(LeaderOnly.class).member("value", "").build());
    }

    /**
     * Notes that the application has a client of its own.
     *
     * @param bean     a client
     * @param messages for what is wrong
     */
    @Registration(types = ElectionClient.class)
    public void client(BeanInfo bean, Messages messages) {
        if (bean.isSynthetic()
                || !bean.qualifiers().stream().map(AnnotationInfo::name).allMatch(ANY_CLIENT::contains)) {
            return;
        }
        hasClient = true;
        // One would be started, and the latches would be those of others.
        if (bean.scope().name().equals(Dependent.class.getName())) {
            messages.error("the ElectionClient of " + bean.declaringClass().name()
                    + " must not be @Dependent, which makes one for each use: make it a @Singleton");
        }
    }

    /**
     * Notes the paths that a bean names, and refuses methods that cannot be leader-only.
     *
     * @param bean     of any kind
     * @param messages for what is wrong
     */
    @Registration(types = Object.class)
    public void bean(BeanInfo bean, Messages messages) {
        bean.injectionPoints().forEach(point -> paths(point.qualifiers()).forEach(injected::add));
        LeaderOnlyMethods found = LeaderOnlyMethods.of(bean);
        found.faults().forEach(messages::error);
        found.methods().forEach(method -> {
            led.add(method.path());
            methods.add(method.name());
            methods.add(method.path());
            String other = method.channel().isEmpty() ? null : channels.put(method.channel(), method.path());
            if (other != null && !other.equals(method.path())) {
                messages.error("@LeaderOnly of " + method.name() + ": channel '" + method.channel() + "' has the path '"
                        + other + "' too: its methods must have one path");
            }
        });
    }

    /**
     * Notes the paths of which somebody wants to hear.
     *
     * @param observer of anything
     * @param messages for what is wrong
     */
    @Registration(types = Object.class)
    public void observer(ObserverInfo observer, Messages messages) {
        if (observer.isSynthetic()) {
            // Of another extension: it has no method, and comes when the paths have been counted.
            return;
        }
        if (!observer.isAsync()) {
            observer.observerMethod().parameters().stream()
                    .filter(parameter -> !parameter.equals(observer.eventParameter()))
                    .map(ParameterInfo::annotations)
                    .forEach(annotations -> paths(annotations).forEach(injected::add));
        }
        String event = observer.eventType().isClass()
                ? observer.eventType().asClass().declaration().name()
                : "";
        if (EVENTS.contains(event)) {
            ours(observer, event.equals(LeaderChanged.class.getName()) ? watched : led, messages);
        }
    }

    private static void ours(ObserverInfo observer, Set<String> wanted, Messages messages) {
        String method = observer.declaringClass().name() + "."
                + observer.observerMethod().name();
        if (observer.isAsync()) {
            messages.error(method + ": must have @Observes: with @ObservesAsync events would come in any order");
        }
        paths(observer.qualifiers()).forEach(path -> {
            if (path.contains("${")) {
                messages.error(method + ": @LeaderPath(\"" + path
                        + "\"): must not have a placeholder where an event is observed: observe all, and ask for "
                        + "event.path()");
            }
            wanted.add(path);
        });
    }

    private static Stream<String> paths(Collection<AnnotationInfo> annotations) {
        return annotations.stream()
                .filter(annotation -> annotation.name().equals(LeaderPath.class.getName()))
                .map(annotation -> annotation.value().asString());
    }

    /**
     * Makes the beans that have no class.
     *
     * @param components of the application
     */
    @Synthesis
    public void synthesize(SyntheticComponents components) {
        if (!hasClient) {
            components
                    .addBean(ElectionClient.class)
                    .type(ElectionClient.class)
                    .scope(Singleton.class)
                    .createWith(SyntheticBeans.ClientCreator.class)
                    .disposeWith(SyntheticBeans.ClientDisposer.class);
        }
        for (String path : injected) {
            components
                    .addBean(LeaderLatch.class)
                    .type(LeaderLatch.class)
                    .qualifier(new LeaderPath.Literal(path))
                    .withParam(SyntheticBeans.PATH, path)
                    .createWith(SyntheticBeans.LatchCreator.class);
        }
        led.addAll(injected);
        watched.removeAll(led);
        components
                .addBean(DeclaredPaths.class)
                .type(DeclaredPaths.class)
                .scope(Singleton.class)
                .withParam(SyntheticBeans.LED, led.toArray(String[]::new))
                .withParam(SyntheticBeans.WATCHED, watched.toArray(String[]::new))
                .withParam(SyntheticBeans.METHODS, methods.toArray(String[]::new))
                .withParam(
                        SyntheticBeans.CHANNELS,
                        channels.entrySet().stream()
                                .flatMap(each -> Stream.of(each.getKey(), each.getValue()))
                                .toArray(String[]::new))
                .createWith(SyntheticBeans.PathsCreator.class);
    }
}
