package kotlin.coroutines;

/** In place of Kotlin's, of which only the name counts here. */
public interface Continuation<T> {}
