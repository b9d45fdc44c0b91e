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
 * @param main   the class that starts the application
 */
record Platform(String module, String title, String core, String main) {

    static final Platform SPRING_BOOT_3_5 = springBoot("spring-boot-3.5");

    static final List<Platform> ALL = List.of(
            SPRING_BOOT_3_5,
            springBoot("spring-boot-4.1"),
            new Platform("quarkus-3", "Quarkus", "quarkus-core", "com.example.platforms.quarkus.QuarkusNode"),
            vertx("vertx-4.5"),
            vertx("vertx-5.1"));

    private static final Path MODULES = Path.of("src", "it");

    private static Platform springBoot(String module) {
        return new Platform(module, "Spring Boot", "spring-boot", "com.example.platforms.springboot.SpringBootNode");
    }

    private static Platform vertx(String module) {
        return new Platform(module, "Vert.x", "vertx-core", "com.example.platforms.vertx.VertxNode");
    }

    /** What carries the frames, and with it the artifacts that the application takes. */
    enum Transport {
        TCP("tcp", "`quorate-tcp`"),
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
        List<String> classPath =
                new ArrayList<>(List.of(target().resolve("classes").toString()));
        jars(transport).forEach(jar -> classPath.add(jar.toString()));
        List<String> words = new ArrayList<>(List.of(
                jdk.program().toString(), "-cp", String.join(File.pathSeparator, classPath), "-XX:-UsePerfData"));
        words.addAll(options);
        words.add(main);
        return words;
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

    /** The jar of the platform that the application says it has loaded. */
    String coreJar() {
        return core + "-" + version(core, Transport.TCP).orElseThrow() + ".jar";
    }

    String slf4jJar() {
        return "slf4j-api-" + version("slf4j-api", Transport.TCP).orElseThrow() + ".jar";
    }

    /** With its version. */
    String name() {
        return title + " " + version(core, Transport.TCP).orElseThrow();
    }

    /** What it brings of that which Quorate needs, or would need: the first column but one of the table. */
    String brings() {
        String netty = version("netty-common", Transport.VERTX).orElseThrow().replace(".Final", "");
        // On Spring Boot Vert.x is that of Quorate.
        String vertx =
                version("vertx-core", Transport.TCP).map(it -> ", Vert.x " + it).orElse("");
        String slf4j = version("slf4j-api", Transport.TCP).orElseThrow();
        return "Netty " + netty + (title.equals("Vert.x") ? "" : vertx) + ", slf4j " + slf4j;
    }

    @Override
    public String toString() {
        return module;
    }
}
