package io.quorate.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/**
 * Where the endpoints of one node are.
 *
 * @param text without a slash at its end, as {@code http://10.0.0.1:8080}
 */
record Url(String text) {

    /**
     * Literals and the one name that RFC 6761 reserves: any other name may lead anywhere when it is looked up again.
     */
    private static final Pattern LOOPBACK = Pattern.compile("127(\\.\\d{1,3}){3}|\\[::1]|localhost");

    /**
     * Reads an address. A path is allowed, for a proxy that tells nodes by it.
     *
     * @throws IllegalArgumentException with the value and the rule
     */
    static Url of(String text) {
        URI uri;
        try {
            // RFC 6874 writes %25 before the zone of an IPv6 address, and the JDK takes a bare percent sign only.
            uri = new URI(text.strip().replaceFirst("^(\\w+://\\[[^]%]*%)25(?=[^]])", "$1"));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(fault(text), e);
        }
        boolean isHttp = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
        boolean isBare = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
        if (!isHttp || uri.getHost() == null || !isBare) {
            throw new IllegalArgumentException(fault(text));
        }
        return new Url(uri.toString().replaceAll("/+$", ""));
    }

    private static String fault(String text) {
        return "'" + Shown.of(text)
                + "': must be http://HOST:PORT or https://HOST:PORT, without user, query and fragment, HOST without _";
    }

    /**
     * An endpoint of this node.
     *
     * @param target begins with a slash; its query is encoded already
     */
    URI endpoint(String target) {
        return URI.create(text + target);
    }

    /** Whether nobody on the way reads a token: over TLS, or not beyond this machine. */
    boolean isFitForToken() {
        URI uri = URI.create(text);
        return "https".equalsIgnoreCase(uri.getScheme())
                || LOOPBACK.matcher(uri.getHost()).matches();
    }

    @Override
    public String toString() {
        return text;
    }
}
