package io.quorate.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Tells addresses of this machine alone from all others, without asking a name server. */
public final class Loopback {

    private static final Pattern IPV4 = Pattern.compile("127(\\.\\d{1,3}){3}");

    private Loopback() {}

    /** Whether frames to this host cannot leave the machine; a name counts only if it is localhost. */
    public static boolean isLoopback(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        if (name.equals("localhost")
                || name.endsWith(".localhost")
                || IPV4.matcher(name).matches()) {
            return true;
        }
        try {
            // With a colon it is a literal, which is not looked up.
            return name.contains(":") && InetAddress.getByName(name).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
