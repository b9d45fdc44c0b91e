package io.quorate.kubernetes;

import io.quorate.Profile;
import io.quorate.process.ChildJvm;
import io.quorate.process.Http;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The pods of a stateful set, started and stopped as Kubernetes does it, their names, and a thread that asks all of
 * them all the time. The first process of {@link Namespaces#outer} makes one.
 */
final class Pods {

    /** Support and minReadySeconds are longer by that, so that a pause of a busy machine is no change of leader. */
    private static final int SLOWER = 3;

    /** How long a voter supports a node in the acts. */
    static final Duration SUPPORT = Profile.DEFAULT.supportDuration().multipliedBy(SLOWER);

    private static final Duration DEADLINE = Duration.ofMinutes(10);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final long PAUSE_MILLIS = 30;
    private static final Pattern TOKEN = Pattern.compile("\"token\":(\\d+)");
    private static final Pattern SUPPORTERS = Pattern.compile("\"supporters\":\\[(.*?)]");

    private static final List<String> OPTIONS = Stream.concat(
                    ChildJvm.SMALL.stream(),
                    Stream.of(
                            "-Dorg.slf4j.simpleLogger.log.io.quorate=info",
                            "-Dorg.slf4j.simpleLogger.showDateTime=true",
                            "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS"))
            .toList();

    private final Recipe recipe = Recipe.ofDocument();
    private final List<String> names =
            IntStream.range(0, recipe.replicas()).mapToObj(recipe::pod).toList();
    private final Path directory;
    private final Map<String, String> overrides;
    private final Map<String, Path> volumes = new HashMap<>();
    private final Map<String, ChildJvm> running = new ConcurrentHashMap<>();
    private final Map<String, InetAddress> addresses = new ConcurrentHashMap<>();
    private final Observations observations = new Observations();
    private final NameServer nameServer;
    private final long namesFromNanos;
    private volatile boolean areUnreadyPublished = true;
    private int started;

    /**
     * Makes the network, the name server and the secret, and no pod.
     *
     * @param overrides  variables in place of those of the recipe
     * @param namesAfter for so long no name is known
     */
    Pods(Path directory, Map<String, String> overrides, Duration namesAfter) throws IOException {
        this.directory = directory;
        this.overrides = overrides;
        namesFromNanos = System.nanoTime() + namesAfter.toNanos();
        Namespaces.makeBridge();
        nameServer = new NameServer(InetAddress.getByName(Namespaces.NAME_SERVER), this::find);
        Path secrets = Files.createDirectory(directory.resolve("secrets"));
        Path secret = Files.writeString(secrets.resolve("secret"), "a secret of 16 bytes and more\n");
        // As the volume of the secret has it.
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("r--r-----"));
        Files.writeString(secrets.resolve("ops-token"), "a-token-of-16-characters-and-more\n");
        volumes.put("secrets", secrets);
        // As the kubelet writes it.
        Files.write(
                directory.resolve("resolv.conf"),
                List.of(
                        "search default.svc.cluster.local svc.cluster.local cluster.local",
                        "nameserver " + Namespaces.NAME_SERVER,
                        "options ndots:5"));
        Thread prober = new Thread(this::probe, "prober");
        prober.setDaemon(true);
        prober.start();
    }

    private Optional<InetAddress> find(String name) {
        if (!areNamesKnown()) {
            return Optional.empty();
        }
        return names.stream()
                .filter(pod -> recipe.domain(pod).equals(name))
                .filter(pod -> areUnreadyPublished || observations.isInService(pod))
                .findFirst()
                .map(addresses::get);
    }

    boolean areNamesKnown() {
        return System.nanoTime() - namesFromNanos >= 0;
    }

    /** What {@code publishNotReadyAddresses} says. */
    void publishUnready(boolean publish) {
        areUnreadyPublished = publish;
    }

    /** How long a pod has to be ready before the next one is stopped. */
    Duration minReady() {
        return recipe.minReady().multipliedBy(SLOWER);
    }

    Recipe recipe() {
        return recipe;
    }

    List<String> names() {
        return names;
    }

    Observations observations() {
        return observations;
    }

    /** How often the name server said that there is no such name. */
    int denied() {
        return nameServer.denied();
    }

    /** Starts a pod, with the terms that it had and an address that none has had before. */
    void start(String pod) throws IOException {
        int number = ++started;
        String address = "10.244.0." + (10 + number);
        Map<String, Path> mounted = new HashMap<>(volumes);
        mounted.put("terms", Files.createDirectories(directory.resolve("terms-of-" + pod)));
        Map<String, String> environment = new TreeMap<>(recipe.environment(pod, mounted));
        environment.put("QUORATE_SUPPORT", SUPPORT.toString());
        environment.putAll(overrides);
        ChildJvm.Command command = ChildJvm.Command.of(PodApplication.class, List.of(), OPTIONS);
        running.put(
                pod,
                ChildJvm.start(
                        pod,
                        Namespaces.pod(
                                number,
                                address,
                                directory.resolve("resolv.conf").toString(),
                                command.words()),
                        environment,
                        directory.resolve(pod + ".log")));
        addresses.put(pod, InetAddress.getByName(address));
        observations.begin(pod, System.nanoTime());
    }

    void startAll() throws IOException {
        for (String pod : names) {
            start(pod);
        }
    }

    /** As the kubelet ends a pod: SIGTERM, which it must obey in time. */
    void stop(String pod) throws InterruptedException {
        observations.takeOut(pod);
        long began = System.nanoTime();
        running.get(pod).terminate();
        int exit = running.get(pod).awaitExit();
        check(exit == 128 + 15, pod + " ended with " + exit);
        check(System.nanoTime() - began < recipe.grace().toNanos(), pod + " took too long to end");
        forget(pod);
    }

    /** Sends SIGKILL. */
    void kill(String pod) throws InterruptedException {
        observations.takeOut(pod);
        running.get(pod).kill();
        running.get(pod).awaitExit();
        forget(pod);
    }

    private void forget(String pod) {
        running.remove(pod);
        addresses.remove(pod);
    }

    /** The status of what a pod answers; 0 if it does not. */
    int status(String pod, String target) {
        return ask(pod, target).map(HttpResponse::statusCode).orElse(0);
    }

    private Optional<HttpResponse<String>> ask(String pod, String target) {
        return Optional.ofNullable(addresses.get(pod))
                .flatMap(address -> Http.get("http://" + address.getHostAddress() + target, PATIENCE));
    }

    private void probe() {
        try {
            while (true) {
                for (String pod : names) {
                    probe(pod);
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private void probe(String pod) {
        int life = observations.life(pod);
        int ready = status(pod, recipe.probe("readinessProbe"));
        observations.onReady(pod, life, ready, System.nanoTime());
        if (ready == 0) {
            // It would only be waited for once more.
            return;
        }
        ask(pod, ":" + PodApplication.PROBES_PORT + "/leader?path=" + PodApplication.PATH)
                .filter(answer -> answer.statusCode() == 200)
                .map(answer -> TOKEN.matcher(answer.body()))
                .filter(Matcher::find)
                .ifPresent(token -> observations.onLeads(pod, Long.parseLong(token.group(1))));
        long asked = System.nanoTime();
        ask(pod, ":" + PodApplication.PROBES_PORT + "/status")
                .map(answer -> SUPPORTERS.matcher(answer.body()))
                .filter(Matcher::find)
                .ifPresent(found -> observations.onSupporters(
                        pod,
                        life,
                        Arrays.stream(found.group(1).replace("\"", "").split(","))
                                .filter(voter -> !voter.isEmpty())
                                .toList(),
                        asked));
    }

    /** Waits for something, at most a minute. Answers how long it took. */
    Duration await(String what, BooleanSupplier condition) throws InterruptedException {
        long began = System.nanoTime();
        while (!condition.getAsBoolean()) {
            check(System.nanoTime() - began < DEADLINE.toNanos(), "not within " + DEADLINE + ": " + what);
            Thread.sleep(PAUSE_MILLIS);
        }
        return Duration.ofNanos(System.nanoTime() - began);
    }

    /** Fails with the state of everything. */
    void check(boolean isSo, String otherwise) {
        if (!isSo) {
            throw new AssertionError(otherwise + describe());
        }
    }

    private String describe() {
        StringBuilder text = new StringBuilder("\nviolations " + observations.violations() + "\nreigns "
                + observations.reigns() + "\nnames denied " + denied());
        for (String pod : names) {
            text.append("\nlog of ").append(pod).append('\n').append(log(pod));
        }
        return text.toString();
    }

    private String log(String pod) {
        try {
            return Files.readString(directory.resolve(pod + ".log"));
        } catch (IOException e) {
            return "none: " + e.getMessage();
        }
    }
}
