package com.example.pages;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A document for users, and what a reader copies from it. Ports are free ones of this machine. */
final class Page {

    static final Path ROOT = Path.of(System.getProperty("pages.root"));
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
    private static final Pattern PORT = Pattern.compile("(127\\.0\\.0\\.1:|port\\(|_PORT=)(\\d+)");

    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final String text;

    private Page(String text) {
        this.text = text;
    }

    static Page read(String file) throws IOException {
        return new Page(Files.readString(ROOT.resolve(file)));
    }

    String text() {
        return text;
    }

    /** The blocks of this language; those of commands have none. */
    List<String> blocks(String language) {
        return BLOCK.matcher(text)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> here(block.group(2)))
                .toList();
    }

    /** The first block of this language with this piece. */
    String block(String language, String piece) {
        return blocks(language).stream()
                .filter(block -> block.contains(piece))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no block of '" + language + "' with '" + piece + "'"));
    }

    /** The port of this machine in place of one that is printed. */
    int port(int printed) {
        return ports.computeIfAbsent("" + printed, port -> free());
    }

    private String here(String block) {
        return PORT.matcher(block).replaceAll(found -> found.group(1) + port(Integer.parseInt(found.group(2))));
    }

    private static int free() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
