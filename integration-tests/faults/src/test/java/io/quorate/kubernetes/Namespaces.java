package io.quorate.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Namespaces of Linux without a trace outside: a network of its own for a group of processes, which end when the first
 * of them does, and with them the network. Root may make them, and where user namespaces are allowed anybody.
 */
final class Namespaces {

    /** A user who is root inside, network, mounts, processes; what is inside dies with it, however that ends. */
    private static final List<String> OUTER =
            List.of("unshare", "--map-root-user", "-nmpf", "--mount-proc", "--kill-child");

    /** Where the name server listens: Kubernetes takes this address for it, too. */
    static final String NAME_SERVER = "10.96.0.10";

    private static final String PATH = "PATH=$PATH:/usr/sbin:/sbin; ";

    private static final String BRIDGE = PATH + "set -e; ip link set lo up; ip link add pods type bridge;"
            + " ip addr add 10.244.0.1/16 dev pods; ip addr add " + NAME_SERVER + "/32 dev pods;"
            + " ip link set pods up";

    /** The network of a pod: $1 its number, $2 its address, $3 its resolv.conf; then what it runs, as this process. */
    private static final String POD =
            PATH + "set -e; number=$1; address=$2; mount --bind \"$3\" /etc/resolv.conf; shift 3;"
                    + " nsenter --net=/proc/1/ns/net ip link add pod$number type veth peer name eth0 netns $$;"
                    + " nsenter --net=/proc/1/ns/net ip link set pod$number master pods up;"
                    + " ip link set lo up; ip addr add $address/16 dev eth0; ip link set eth0 up;"
                    + " ip route add default via 10.244.0.1; exec \"$@\"";

    private Namespaces() {}

    /** Whether this machine and this user can do that. */
    static boolean areAllowed() {
        try {
            List<String> words = new ArrayList<>(OUTER);
            words.addAll(List.of("sh", "-c", BRIDGE));
            return new ProcessBuilder(words).start().waitFor() == 0;
        } catch (IOException e) {
            // Justification: another system, which has no such program.
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** Runs a command on a network of its own, on which {@link #makeBridge} and {@link #pod} work. */
    static List<String> outer(List<String> command) {
        List<String> words = new ArrayList<>(OUTER);
        words.addAll(command);
        return words;
    }

    /** Makes what joins the pods. Of the first process inside. */
    static void makeBridge() {
        try {
            int exit =
                    new ProcessBuilder("sh", "-c", BRIDGE).inheritIO().start().waitFor();
            if (exit != 0) {
                throw new IllegalStateException("no bridge: exit code " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /**
     * Runs a command with an address of its own.
     *
     * @param number     no other one has it
     * @param resolvConf the file that stands at /etc/resolv.conf for it
     */
    static List<String> pod(int number, String address, String resolvConf, List<String> command) {
        List<String> words =
                new ArrayList<>(List.of("unshare", "-nm", "sh", "-c", POD, "pod", number + "", address, resolvConf));
        words.addAll(command);
        return words;
    }
}
