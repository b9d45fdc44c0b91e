package com.example.platforms.application;

import java.io.IOException;

/** The contender on the class path of a platform, without a start of the platform itself. */
public final class PlainNode {

    private PlainNode() {}

    /** Runs until it is told to close, or gets SIGTERM. */
    public static void main(String[] arguments) throws Exception {
        try (Contender contender = new Contender()) {
            contender.start();
            awaitClose(contender);
        }
    }

    private static void awaitClose(Contender contender) throws IOException {
        Thread onSignal = new Thread(contender::close);
        Runtime.getRuntime().addShutdownHook(onSignal);
        Console.awaitClose();
        Runtime.getRuntime().removeShutdownHook(onSignal);
    }
}
