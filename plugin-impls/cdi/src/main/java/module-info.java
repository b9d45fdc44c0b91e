/** A client as a bean of CDI. */
module io.quorate.cdi {
    requires transitive io.quorate;
    requires transitive io.quorate.leaderonly;
    requires org.slf4j;
    requires static org.jspecify;
    // Provided by the application, in its own version.
    requires static transitive jakarta.cdi;
    requires static jakarta.annotation;
    requires static jakarta.inject;
    requires static jakarta.interceptor;
    requires static jakarta.cdi.lang.model;
    requires static org.eclipse.microprofile.config;
    requires static microprofile.health.api;
    requires static transitive quarkus.scheduler.api;
    requires static smallrye.reactive.messaging.api;

    exports io.quorate.cdi;
    // The container makes the beans by reflection.
    opens io.quorate.cdi;

    provides jakarta.enterprise.inject.build.compatible.spi.BuildCompatibleExtension with
            io.quorate.cdi.QuorateExtension;
}
