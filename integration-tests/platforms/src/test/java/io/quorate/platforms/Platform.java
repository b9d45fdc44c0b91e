package io.quorate.platforms;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A platform, and the module of src/it that puts the application under its dependency management.
 *
 * @param module the module's folder
 * @param title  the platform's name without its version
 * @param core   the artifact that has the platform's version
 * @param main   the class that starts the application. For Quarkus, whose build writes a program of its own, the one
 *               that is started on its class path with the event bus
 */
record Platform(String module, String title, String core, String main) {

    static final Platform SPRING_BOOT_3_5 = springBoot("spring-boot-3.5");

    /** Applications whose one dependency is the starter; not in the table. */
    static final Platform STARTER_3_5 = starter("spring-boot-starter-3.5");

    static final Platform STARTER_4_1 = starter("spring-boot-starter-4.1");

    /** An application whose leader takes messages; not in the table. */
    static final Platform LISTENERS_3_5 = new Platform(
            "spring-boot-listeners-3.5", "Spring Boot", "spring-boot", "com.example.platforms.listeners.ListenerNode");

    /** An application with quorate-cdi; not in the table either. */
    static final Platform QUARKUS_CDI = quarkus("quarkus-cdi-3");

    static final List<Platform> ALL = List.of(
            SPRING_BOOT_3_5,
            springBoot("spring-boot-4.1"),
            quarkus("quarkus-3"),
            vertx("vertx-4.5"),
            vertx("vertx-5.1"));

    private static final Path MODULES = Path.of("src", "it");

    private static Platform springBoot(String module) {
        return new Platform(module, "Spring Boot", "spring-boot", "com.example.platforms.springboot.SpringBootNode");
    }

    private static Platform starter(String module) {
        return new Platform(module, "Spring Boot", "spring-boot", "com.example.platforms.starter.StarterNode");
    }

    private static Platform quarkus(String module) {
        return new Platform(module, "Quarkus", "quarkus-core", "com.example.platforms.application.PlainNode");
    }

    private static Platform vertx(String module) {
        return new Platform(module, "Vert.x", "vertx-core", "com.example.platforms.vertx.VertxNode");
    }

    /** What carries the frames, and with it the artifacts that the application takes. */
    enum Transport {
        TCP("tcp", "`quorate`"),
        VERTX("vertx", "`quorate-impls`");

        final String name;
        final String artifact;

        Transport(String name, String artifact) {
            this.name = name;
            this.artifact = artifact;
        }
    }

    private Path target() {
        return MODULES.resolve(module).resolve("target");
    }

    /** The jars that Maven has chosen. */
    List<Path> jars(Transport transport) {
        try {
            String classPath = Files.readString(target().resolve("class-path-" + transport.name));
            return List.of(classPath.split(File.pathSeparator)).stream()
                    .map(Path::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The command that starts the application on this JDK. */
    List<String> command(Jdk jdk, Transport transport, List<String> options) {
        List<String> words = new ArrayList<>(List.of(jdk.program().toString(), "-XX:-UsePerfData"));
        words.addAll(options);
        if (isQuarkus() && transport == Transport.TCP) {
            words.addAll(List.of(
                    "-jar",
                    target().resolve("quarkus-app").resolve("quarkus-run.jar").toString()));
        } else {
            List<String> classPath =
                    new ArrayList<>(List.of(target().resolve("classes").toString()));
            jars(transport).forEach(jar -> classPath.add(jar.toString()));
            words.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), main));
        }
        return words;
    }

    /** The same class path with another program. */
    Platform program(String name) {
        return new Platform(module, title, core, name);
    }

    private boolean isQuarkus() {
        return title.equals("Quarkus");
    }

    /** The version of an artifact on the class path, if it is there. */
    Optional<String> version(String artifact, Transport transport) {
        Pattern jar = Pattern.compile(Pattern.quote(artifact) + "-(\\d.*)\\.jar");
        return jars(transport).stream()
                .map(path -> jar.matcher(path.getFileName().toString()))
                .filter(Matcher::matches)
                .map(found -> found.group(1))
                .findFirst();
    }

    /** Whether this line of the application says that it has loaded this artifact in the version of the platform. */
    boolean isLoaded(String artifact, String line) {
        String jar = artifact + "-" + version(artifact, Transport.TCP).orElseThrow() + ".jar";
        // Quarkus puts the group before it.
        return line.startsWith("uses ") && (line.endsWith(" " + jar) || line.endsWith("." + jar));
    }

    /** With its version. */
    String name() {
        return title + " " + version(core, Transport.TCP).orElseThrow();
    }

    /** What it brings, or makes of what Quorate brings. */
    String brings() {
        String netty = version("netty-common", Transport.VERTX).orElseThrow().replace(".Final", "");
        String vertx =
                isQuarkus() ? ", Vert.x " + version("vertx-core", Transport.TCP).orElseThrow() : "";
        return "Netty " + netty + vertx + ", slf4j "
                + version("slf4j-api", Transport.TCP).orElseThrow();
    }

    @Override
    public String toString() {
        return module;
    }
}
