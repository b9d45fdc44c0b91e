/** Guards that refuse the write of a former leader. */
module io.quorate.fencing {
    requires transitive java.net.http;
    requires transitive java.sql;
    requires static org.jspecify;
    // Provided by the application, in its own version.
    requires static transitive jakarta.servlet;

    exports io.quorate.fencing;
}
