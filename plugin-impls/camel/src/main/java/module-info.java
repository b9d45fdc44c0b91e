/** A cluster service for Apache Camel. */
module io.quorate.camel {
    requires transitive io.quorate;
    requires org.slf4j;
    requires static org.jspecify;
    // Provided by the application, in its own version.
    requires static transitive camel.api;
    requires static transitive camel.support;
    requires static spring.boot;
    requires static spring.boot.autoconfigure;
    requires static spring.context;
    requires static spring.core;

    exports io.quorate.camel;
    // Spring makes the beans by reflection.
    opens io.quorate.camel;
}
