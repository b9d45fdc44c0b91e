/** A client as a bean of Spring Boot. */
module io.quorate.spring {
    requires transitive io.quorate;
    requires transitive io.quorate.leaderonly;
    requires org.slf4j;
    requires static io.quorate.ops;
    requires static micrometer.core;
    requires static org.jspecify;
    requires static transitive spring.beans;
    requires static transitive spring.context;
    requires static transitive spring.integration.core;
    requires static spring.aop;
    requires static spring.boot;
    requires static spring.boot.actuator;
    requires static spring.boot.actuator.autoconfigure;
    requires static transitive spring.boot.autoconfigure;
    requires static spring.boot.health;
    requires static spring.core;

    exports io.quorate.spring;
    // Spring makes the beans by reflection.
    opens io.quorate.spring;
}
