package io.quorate.core.path;

import io.quorate.core.directory.DirectoryClient;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.path.ContenderState.Claiming;
import io.quorate.core.path.ContenderState.Idle;
import io.quorate.core.path.ContenderState.Joining;
import io.quorate.core.path.ContenderState.Leaving;
import io.quorate.core.path.ContenderState.Waiting;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.Configurations;
import io.quorate.core.support.ConnectionTracker;
import io.quorate.core.support.SupportHeld;
import io.quorate.engine.Situation;
import io.quorate.engine.Tenure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Says who is known to lead, and in words where a contender stands. */
final class Explainer {

    private final StepContext context;
    private final PathTable paths;
    private final DirectoryClient directoryClient;
    private final SupportHeld supportHeld;
    private final ConnectionTracker connectionTracker;
    private final Preemption preemption;

    Explainer(
            StepContext context,
            PathTable paths,
            DirectoryClient directoryClient,
            SupportHeld supportHeld,
            ConnectionTracker connectionTracker,
            Preemption preemption) {
        this.context = context;
        this.paths = paths;
        this.directoryClient = directoryClient;
        this.supportHeld = supportHeld;
        this.connectionTracker = connectionTracker;
        this.preemption = preemption;
    }

    Situation of(LocalContender contender, Configurations configurations) {
        OptionalLong leaseEnd = contender
                .candidate
                .tenure()
                .map(tenure -> OptionalLong.of(tenure.lease().until()))
                .orElse(OptionalLong.empty());
        return new Situation(
                reason(contender, configurations)
                        + preemption
                                .whyLast(contender)
                                .map(reason -> "; it ranks last: " + reason)
                                .orElse(""),
                paths.of(contender).view(knownLeader(paths.of(contender))),
                leaseEnd,
                supportHeld.supporters(),
                context.voters().ids());
    }

    Optional<ContenderRecord> knownLeader(ContendedPath contended) {
        return connectionTracker.isOut() ? Optional.empty() : contended.holder();
    }

    private String reason(LocalContender contender, Configurations configurations) {
        ContendedPath contended = paths.of(contender);
        ContenderState state = contender.state();
        Optional<Tenure> tenure = contender.candidate.tenure();
        if (tenure.isPresent()) {
            return "it leads with token " + tenure.get().token()
                    + (state instanceof Leaving ? ", and leaves when its work is done: " + state.reason() : "");
        }
        Optional<ContenderRecord> holder = contended.holder();
        if (context.voters().number() == 0) {
            return "it cannot lead: this node waits to be told who votes";
        }
        if (!connectionTracker.isConnected()) {
            return "it cannot lead: this node is supported by "
                    + supportHeld.supporters().size() + " of "
                    + context.voterCount() + " voters, which is no majority"
                    + configurations
                            .describe()
                            .map(differences -> "; " + differences)
                            .orElse("")
                    + holder.map(last -> "; " + last.id().node() + " was the last that was known to lead, with token "
                                    + last.token())
                            .orElse("");
        }
        String leader = holder.map(h -> h.id() + " leads with token " + h.token() + "; ")
                .orElse(contender.state() instanceof Idle ? "no leader; " : "");
        return leader + words(contended, contender, state);
    }

    private String words(ContendedPath contended, LocalContender contender, ContenderState state) {
        if (state instanceof Idle) {
            // A claim is asked about first, so its siblings keep their states meanwhile.
            String reason =
                    contended.isAnyClaiming() ? "another contender of this node claims" : state.reason() + when(state);
            return "it waits as " + position(contended, contender) + ": " + reason
                    + contended.algorithmFailure().map("; "::concat).orElse("");
        }
        if (state instanceof Claiming) {
            return "it claims term " + contender.candidate.term() + ": " + state.reason();
        }
        if (state instanceof Joining) {
            return "it is joining: a majority of voters has not confirmed it yet" + full();
        }
        return "its tenure has ended: " + state.reason() + "; its callbacks run, or it pauses because isLeader threw";
    }

    private String when(ContenderState state) {
        return state instanceof Waiting waiting && waiting.until().isPresent()
                ? "; it may claim in " + Math.max(0, waiting.until().getAsLong() - context.now()) / 1_000_000 + " ms"
                : "";
    }

    /** Why voters may never confirm it. */
    private String full() {
        for (int voter = 0; voter < context.voterCount(); voter++) {
            Optional<String> reason = directoryClient.full(voter);
            if (reason.isPresent()) {
                return "; voter " + context.voter(voter) + " does not list all of this node: " + reason.get();
            }
        }
        return "";
    }

    private String position(ContendedPath contended, LocalContender contender) {
        List<ContenderId> ids =
                contended.ranked().stream().map(ContenderRecord::id).toList();
        return "number " + (ids.indexOf(contender.id(context)) + 1) + " of " + ids.size();
    }
}
