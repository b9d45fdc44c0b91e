package io.quorate.core.message;

/** Whom a leader that ends its tenure on purpose names, and the term that it chose for the successor's claim. */
public record Successor(ContenderId claimer, long term) {}
