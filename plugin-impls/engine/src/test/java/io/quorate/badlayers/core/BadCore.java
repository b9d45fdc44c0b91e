package io.quorate.badlayers.core;

import io.quorate.badlayers.engine.BadEngine;
import io.quorate.badlayers.runtime.BadRuntime;
import java.io.File;
import java.nio.file.Files;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/** Knows the layer above, and the world. */
public record BadCore(BadRuntime above) {

    static final AtomicLong ALLOWED = new AtomicLong();

    Object thread() {
        return new Thread(ALLOWED::get);
    }

    Executor executor() {
        return Executors.newCachedThreadPool();
    }

    double numbers() {
        return Math.random() + new Random().nextInt() + System.nanoTime() + System.currentTimeMillis();
    }

    Object time() {
        return Instant.now();
    }

    boolean file() {
        return Files.exists(new File("x").toPath());
    }

    Object log() {
        return LoggerFactory.getLogger(BadCore.class);
    }

    void engine(BadEngine seam) {}

    void allowed() {
        throw new RuntimeException("an exception is no input or output");
    }
}
