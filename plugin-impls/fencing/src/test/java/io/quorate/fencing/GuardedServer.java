package io.quorate.fencing;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A server on a port of the loopback interface, with one servlet behind one filter. */
final class GuardedServer {

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    GuardedServer(FencingFilter filter, HttpServlet servlet) throws Exception {
        this(filter, servlet, "/*", EnumSet.of(DispatcherType.REQUEST));
    }

    GuardedServer(FencingFilter filter, HttpServlet servlet, String guarded, EnumSet<DispatcherType> kinds)
            throws Exception {
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        FilterHolder filters = new FilterHolder(filter);
        filters.setAsyncSupported(true);
        context.addFilter(filters, guarded, kinds);
        ServletHolder servlets = new ServletHolder(servlet);
        servlets.setAsyncSupported(true);
        context.addServlet(servlets, "/*");
        server.setHandler(context);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + connector.getLocalPort() + "/report";
    }

    void stop() throws Exception {
        server.stop();
    }
}
