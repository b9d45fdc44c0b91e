package com.example.platforms.application;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;

/** How the process and whoever has started it talk: a line for each event, and one command. */
public final class Console {

    private Console() {}

    /** One write per line, so that a line is whole or absent when the process is killed. */
    public static synchronized void say(String event) {
        byte[] line = (event + "\n").getBytes(StandardCharsets.UTF_8);
        System.out.write(line, 0, line.length);
        System.out.flush();
    }

    /** Returns when the line {@code close} has come, or the end of the input. */
    public static void awaitClose() throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String command = commands.readLine();
        while (command != null && !command.equals("close")) {
            command = commands.readLine();
        }
    }

    /** The name of the jar from which the class was loaded. */
    public static String jarOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return Path.of(source.getLocation().getPath()).getFileName().toString();
    }
}
