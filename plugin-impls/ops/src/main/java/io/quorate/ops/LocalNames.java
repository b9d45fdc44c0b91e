package io.quorate.ops;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Tells requests for a name of this machine alone from others, which are refused. A page of a stranger may have its
 * own name resolve to 127.0.0.1, and then ask and read what it likes on the visitor's machine. Its requests carry that
 * name.
 */
final class LocalNames {

    private static final Pattern PORT = Pattern.compile(":\\d*$");
    private static final Pattern LOOPBACK_4 = Pattern.compile("127(\\.\\d{1,3}){3}");

    private LocalNames() {}

    /**
     * Whether these are loopback addresses or {@code localhost}. True for none: each browser names one.
     *
     * @param hosts the headers of the name Host, with or without a port
     */
    static boolean areLoopback(List<String> hosts) {
        return hosts.stream()
                .map(host -> PORT.matcher(host.strip()).replaceFirst("").toLowerCase(Locale.ROOT))
                .allMatch(host ->
                        host.equals("localhost") || LOOPBACK_4.matcher(host).matches() || isLoopback6(host));
    }

    private static boolean isLoopback6(String host) {
        // Brackets mark an address, which needs no look-up.
        if (!host.startsWith("[") || !host.endsWith("]")) {
            return false;
        }
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
