package io.quorate.demo;

import io.quorate.history.HistoryEvent;
import io.quorate.history.HistoryEvent.Kind;
import io.quorate.history.HistoryFile;

/** Writes down what a latch answered as the tenures that this amounts to. For one thread. */
final class Beliefs {

    private final HistoryFile file;
    private final String client;
    private final String path;
    /** The token of the answers so far; 0 for false. */
    private long token;

    private long asked;

    /** @param startedAt before the latch was started */
    Beliefs(HistoryFile file, String client, String path, long startedAt) {
        this.file = file;
        this.client = client;
        this.path = path;
        this.asked = startedAt;
    }

    /** A run of equal answers begins; after a pause perhaps with the same answer as the last. */
    void answered(long answer, long askedAt, long givenAt) {
        if (token != 0 && answer != token) {
            add(Kind.RELEASED, token, asked, givenAt);
        }
        if (answer != 0 && answer != token) {
            // Not before the last answer that was another.
            add(Kind.ACQUIRED, answer, asked, givenAt);
        }
        token = answer;
        if (token != 0) {
            add(Kind.BELIEVED_FROM, token, askedAt, givenAt);
        }
        asked = askedAt;
    }

    /** The run goes on. */
    void stillAnswered(long answer, long askedAt, long givenAt) {
        if (answer != 0) {
            add(Kind.BELIEVED_TO, answer, askedAt, givenAt);
        }
        asked = askedAt;
    }

    private void add(Kind kind, long of, long invoked, long completed) {
        file.add(new HistoryEvent(kind, client, path, of, invoked, completed));
    }
}
