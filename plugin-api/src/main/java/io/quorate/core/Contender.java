package io.quorate.core;

import java.util.Optional;

/** One contender of this node: where it stands in the queue, and its claim or tenure. */
final class Contender {

    enum Stage {
        /** Its place in the join order is not known yet. */
        JOINING,
        /** It has its place, and leads or would like to. */
        QUEUED,
        /** Its tenure has ended, and the application has not sent it back into the queue yet. */
        OUT
    }

    final String path;
    final int number;
    final String participantId;
    final long weight;
    final Candidate candidate;

    Stage stage = Stage.JOINING;
    long stamp;
    long version;
    /** While {@link Stage#OUT}: it gave its tenure up by itself, and returns to its old place. */
    boolean keepsPlace;

    /** It does not claim before this. */
    long quietUntil;
    boolean isQuiet;
    /** Claims that failed in a row. */
    int failures;
    /** A tenure that was handed to it; used for one claim. */
    Optional<NodeMessage.Ended> handedOver = Optional.empty();

    /** While it claims: until when each voter's vote is another's, as far as that voter said (0: not blocked). */
    long[] blockedFor;
    boolean wasRepeated;
    int raises;
    Timers.Handle claimTimer;
    /** While it leads: a voter refused its term, so that a higher one is needed to win that voter back. */
    boolean mustRaise;

    Contender(String path, int number, String participantId, long weight, int voters) {
        this.path = path;
        this.number = number;
        this.participantId = participantId;
        this.weight = weight;
        this.candidate = new Candidate(voters);
    }

    /** This contender in the present life of its node. */
    ContenderId id(Context context) {
        return new ContenderId(context.self(), context.incarnation(), number);
    }

    Registration registration(Context context) {
        long token = candidate.tenure().map(Tenure::token).orElse(0L);
        return new Registration(id(context), participantId, stamp, weight, token, version);
    }

    void cancelClaimTimer() {
        if (claimTimer != null) {
            claimTimer.cancel();
            claimTimer = null;
        }
    }

    /** Not before this instant, whatever happens. */
    void beQuietUntil(long instant) {
        quietUntil = instant;
        isQuiet = true;
    }
}
