package io.quorate.core.path;

import io.quorate.core.directory.Registrar;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.Registration;
import io.quorate.core.step.Context;
import io.quorate.core.step.Tenure;
import io.quorate.core.support.Belief;
import io.quorate.core.support.Configurations;
import io.quorate.core.support.Standing;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Says in words where a contender stands. */
final class Explainer {

    private static final String GONE = "it is not in the contest";

    private final Context context;
    private final Paths<? extends Succession> paths;
    private final Registrar registrar;
    private final Belief belief;
    private final Standing standing;
    private final Configurations configurations;

    Explainer(Context context, Paths<? extends Succession> paths, Registrar registrar, Belief belief,
              Standing standing, Configurations configurations) {
        this.context = context;
        this.paths = paths;
        this.registrar = registrar;
        this.belief = belief;
        this.standing = standing;
        this.configurations = configurations;
    }

    /** Of a contender that has left, or was never there. */
    Situation ofNobody() {
        return Situation.outside(GONE);
    }

    Situation of(Contender contender) {
        OptionalLong leaseEnd = contender.candidate.tenure().map(tenure -> OptionalLong.of(tenure.lease().until()))
                .orElse(OptionalLong.empty());
        return new Situation(reason(contender), paths.of(contender).view(), leaseEnd, belief.supporters(),
                context.settings().voters());
    }

    /** Why the contender leads or not. */
    private String reason(Contender contender) {
        Succession contest = paths.of(contender);
        Optional<Tenure> tenure = contender.candidate.tenure();
        if (tenure.isPresent()) {
            return "it leads with token " + tenure.get().token();
        }
        Optional<Registration> holder = contest.holder();
        if (!standing.isConnected()) {
            return "it cannot lead: this node is supported by " + belief.supporters().size() + " of "
                    + context.voterCount() + " voters, which is no majority"
                    + configurations.describe().map(differences -> "; " + differences).orElse("");
        }
        String leader = holder.map(h -> h.id() + " leads with token " + h.token() + "; ").orElse("");
        return switch (contender.state()) {
            case JOINING -> leader + "it is joining: a majority of voters has not confirmed it yet" + full();
            case OUT, ASIDE -> leader + "its tenure has ended, and its callbacks have not returned yet";
            case GONE -> GONE;
            case RESTING, ELECTING, WAITING, CLAIMING, LEADING -> holder.isPresent()
                    ? leader + "it waits as " + position(contest, contender)
                    : contender.isClaiming() ? "it claims term " + contender.candidate.term()
                    : "nobody leads; it waits as " + position(contest, contender)
                    + contest.algorithmFailure().map(failure -> "; " + failure).orElse("");
        };
    }

    /** Why voters may never confirm it. */
    private String full() {
        for (int voter = 0; voter < context.voterCount(); voter++) {
            Optional<String> reason = registrar.full(voter);
            if (reason.isPresent()) {
                return "; voter " + context.voter(voter) + " does not list all of this node: " + reason.get();
            }
        }
        return "";
    }

    private String position(Contest contest, Contender contender) {
        List<ContenderId> ids = contest.ranked().stream().map(Registration::id).toList();
        return "number " + (ids.indexOf(contender.id(context)) + 1) + " of " + ids.size();
    }
}
