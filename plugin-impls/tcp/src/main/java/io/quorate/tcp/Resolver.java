package io.quorate.tcp;

import io.quorate.jvm.Daemons;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Finds the addresses of a name, on threads of its own, because the system may take seconds for one. */
final class Resolver {

    /** This many names that do not answer keep the others from nothing. */
    private static final int THREADS_MAX = 4;

    /** Nobody is asked. */
    static final Future<?> ANSWERED = CompletableFuture.completedFuture(null);

    private static final InetAddress[] NOTHING = {};

    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

    private static final Pattern IPV4 = Pattern.compile("(" + OCTET + "\\.){3}" + OCTET);
    /** Something that the JDK takes for an address, or refuses, without asking anybody. */
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:][^%]*:.*");

    private final ThreadPoolExecutor threads;
    private final LookUp system;

    /** Looks up the addresses of a name. */
    @FunctionalInterface
    interface LookUp {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /** Receives the addresses; an empty array if there are none. Called by another thread, or immediately. */
    @FunctionalInterface
    interface Found {
        void found(InetAddress[] addresses);
    }

    Resolver(String threadName) {
        this(threadName, InetAddress::getAllByName);
    }

    Resolver(String threadName, LookUp system) {
        threads = threads(THREADS_MAX, threadName);
        this.system = system;
    }

    /** Daemon threads that end when they are idle. */
    static ThreadPoolExecutor threads(int max, String name) {
        ThreadPoolExecutor made =
                new ThreadPoolExecutor(max, max, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemons.named(name));
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    /**
     * Looks a name up; what is an address already is answered at once. There is always an answer: a peer whose name is
     * being looked up is not dialled meanwhile.
     *
     * @param attempt counts the attempts since one has succeeded, from 0
     * @return done when {@code to} has returned or thrown
     */
    Future<?> resolve(String host, int attempt, Found to) {
        if (isLiteral(host)) {
            to.found(lookUp(host));
            return ANSWERED;
        }
        String spelt = spelling(host, attempt);
        try {
            return threads.submit(() -> to.found(lookUp(spelt)));
        } catch (Throwable e) {
            // Justification: the system has no thread left, which is an Error, or this is closed. The next attempt
            // comes.
            to.found(NOTHING);
            return ANSWERED;
        }
    }

    /** Waits for no look-up: the threads are daemons, and end when the system has answered. */
    void close() {
        threads.shutdownNow();
    }

    /** Whether the JDK looks nobody up for it. Text that only resembles an address may come from a stranger's HELLO. */
    static boolean isLiteral(String host) {
        return IPV4.matcher(host).matches() || IPV6.matcher(host).matches();
    }

    /**
     * The name in capitals and small letters as the number of the attempt says. To DNS they are one name; but the JDK
     * keeps what it did not find for ten seconds under the spelling that was asked for, and only a setting of the whole
     * JVM changes that. Each second attempt has the name as it was given, for systems that tell the letters apart.
     */
    static String spelling(String host, int attempt) {
        if (attempt % 2 == 0) {
            return host;
        }
        StringBuilder spelt = new StringBuilder(host.toLowerCase(Locale.ROOT));
        int bits = attempt / 2 + 1;
        for (int i = 0; i < spelt.length() && bits != 0; i++) {
            char c = spelt.charAt(i);
            if ('a' <= c && c <= 'z') {
                if ((bits & 1) != 0) {
                    spelt.setCharAt(i, Character.toUpperCase(c));
                }
                bits >>>= 1;
            }
        }
        return spelt.toString();
    }

    private InetAddress[] lookUp(String host) {
        try {
            return system.addresses(host);
        } catch (Throwable e) {
            // Justification: an application may have put a resolver of its own into the JDK. Without an answer the peer
            // would never be tried again.
            return NOTHING;
        }
    }
}
