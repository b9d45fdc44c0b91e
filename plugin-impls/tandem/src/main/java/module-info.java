/** A latch that leads together with the election that an application used before. */
module io.quorate.tandem {
    requires transitive io.quorate;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.quorate.tandem;
}
