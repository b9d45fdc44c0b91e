package io.quorate.link;

import io.quorate.link.LinkProxy.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Links between processes that can be cut, each from the process that connects to the one that it connects to. */
public final class Links implements AutoCloseable {

    /** One of them. */
    public record Link(String from, String to, LinkProxy proxy) {}

    private final List<Link> links = new ArrayList<>();

    /** The address at which {@code from} finds {@code to}, which listens at another one; the same each time. */
    public synchronized String address(String from, String to, String listensAt) {
        for (Link link : links) {
            if (link.from.equals(from) && link.to.equals(to)) {
                return link.proxy.address();
            }
        }
        LinkProxy proxy = new LinkProxy(listensAt);
        links.add(new Link(from, to, proxy));
        return proxy.address();
    }

    /** The list of peers for a node that finds all others behind links. */
    public String peers(String node, Map<String, String> addresses) {
        return addresses.entrySet().stream()
                .map(to -> to.getKey() + "="
                        + (to.getKey().equals(node) ? to.getValue() : address(node, to.getKey(), to.getValue())))
                .collect(Collectors.joining(","));
    }

    /** The links from and to a node. */
    public synchronized List<Link> of(String node) {
        return links.stream()
                .filter(link -> link.from.equals(node) || link.to.equals(node))
                .toList();
    }

    /** Cuts a node off all others, without a word to either end. */
    public void cut(String node) {
        for (Link link : of(node)) {
            link.proxy.cut(Way.THERE);
            link.proxy.cut(Way.BACK);
        }
    }

    /** All that has waited passes. */
    public synchronized void heal() {
        links.forEach(link -> link.proxy.heal());
    }

    @Override
    public synchronized void close() {
        links.forEach(link -> link.proxy.close());
    }
}
