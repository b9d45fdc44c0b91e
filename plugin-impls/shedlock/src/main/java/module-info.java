/** A lock provider for ShedLock. */
module io.quorate.shedlock {
    requires transitive io.quorate;
    requires org.slf4j;
    requires static org.jspecify;
    // Provided by the application, in its own version.
    requires static transitive net.javacrumbs.shedlock.core;

    exports io.quorate.shedlock;
}
