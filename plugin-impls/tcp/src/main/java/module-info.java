/** The transport over plain TCP, with the JDK alone. */
module io.quorate.tcp {
    requires transitive io.quorate;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.quorate.tcp;

    provides io.quorate.spi.TransportProvider with
            io.quorate.tcp.TcpTransportProvider;
}
