package io.quorate.compare;

import io.quorate.link.LinkProxy;
import java.util.ArrayList;
import java.util.List;

/** The links of a deployment that can be cut, each from whoever connects to whom it connects to. */
final class ProxiedLinks implements AutoCloseable {

    private record Link(String from, String to, LinkProxy proxy) {}

    private final List<Link> links = new ArrayList<>();

    /** The address at which {@code from} finds {@code to}, which listens at another one; the same each time. */
    synchronized String address(String from, String to, String listensAt) {
        for (Link link : links) {
            if (link.from.equals(from) && link.to.equals(to)) {
                return link.proxy.address();
            }
        }
        LinkProxy proxy = new LinkProxy(listensAt);
        links.add(new Link(from, to, proxy));
        return proxy.address();
    }

    /** Cuts the node off all others; answers the moment before it. */
    synchronized long cut(String node, Cut cut) {
        long now = System.nanoTime();
        for (Link link : links) {
            if (link.from.equals(node) || link.to.equals(node)) {
                cut.apply(link.proxy, link.from.equals(node));
            }
        }
        return now;
    }

    /** Answers the moment before it. */
    synchronized long heal() {
        long now = System.nanoTime();
        links.forEach(link -> link.proxy.heal());
        return now;
    }

    @Override
    public synchronized void close() {
        links.forEach(link -> link.proxy.close());
    }
}
