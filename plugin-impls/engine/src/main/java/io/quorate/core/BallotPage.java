package io.quorate.core;

import io.quorate.core.directory.Page;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.support.Supporters;
import io.quorate.core.vote.Ballot;
import java.util.Optional;

/** A voter's page of one path with its ballot. */
final class BallotPage extends Page {

    private final Ballot ballot;
    private final Supporters supporters;

    BallotPage(String path, long floor, Supporters supporters) {
        super(path);
        this.ballot = new Ballot(floor);
        this.supporters = supporters;
    }

    Ballot ballot() {
        return ballot;
    }

    @Override
    public long term() {
        return ballot.term();
    }

    @Override
    protected Optional<ContenderId> voted() {
        return ballot.isLive(supporters) ? ballot.holder() : Optional.empty();
    }

    @Override
    protected boolean backs(ContenderRecord registration) {
        return voted().equals(Optional.of(registration.id())) && registration.token() <= ballot.term();
    }

    @Override
    protected boolean onGone(ContenderId gone) {
        return ballot.onRelease(gone, ballot.term(), ballot.term());
    }
}
