package io.quorate.core.path;

import io.quorate.core.collection.ByNumber;
import io.quorate.core.directory.OwnRegistrations;
import io.quorate.core.directory.Registrar;
import io.quorate.core.message.Registration;
import io.quorate.core.step.Context;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.support.Belief;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;

/** All paths on which this node contends, or which it watches, and its contenders. */
final class Paths<P extends Contest> implements OwnRegistrations {

    private final Context context;
    private final Registrar registrar;

    private final Map<String, P> contests = new LinkedHashMap<>();
    private final ByNumber<Contender> contenders = new ByNumber<>();

    Paths(Context context, Belief belief) {
        this.context = context;
        registrar = new Registrar(context, this, belief);
    }

    Registrar registrar() {
        return registrar;
    }

    Iterable<P> all() {
        return contests.values();
    }

    Optional<P> find(String path) {
        return Optional.ofNullable(contests.get(path));
    }

    P findOrAdd(String path, Function<String, P> creation) {
        return contests.computeIfAbsent(path, creation);
    }

    /** The path of a contender that has not left: never null. */
    P of(Contender contender) {
        return Objects.requireNonNull(contests.get(contender.path));
    }

    void forgetIfUnused(P contest) {
        if (contest.isUnused()) {
            contests.remove(contest.path);
        }
    }

    ByNumber<Contender> contenders() {
        return contenders;
    }

    Optional<Contender> contender(long number) {
        return Optional.ofNullable(contenders.get(number));
    }

    /** The contender of this number, if it contends on this path. */
    Optional<Contender> contender(String path, long number) {
        return contender(number).filter(contender -> contender.path.equals(path));
    }

    // ---------------------------------------------------------------- what is registered

    /** What is registered of the contender has changed: the voters and the application are to be told. */
    void changed(Contender contender) {
        contender.version = registrar.nextVersion();
        of(contender).ownChanged();
        registrar.changed(contender.path, contender.number);
        context.emit(new NodeEffect.ViewChanged(contender.path));
    }

    @Override
    public void eachContender(ObjLongConsumer<String> action) {
        contenders.each(contender -> {
            if (contender.state().isRegistered()) {
                action.accept(contender.path, contender.number);
            }
        });
    }

    @Override
    public void eachUnlisted(int voter, ObjLongConsumer<String> action) {
        for (P contest : contests.values()) {
            contest.unlisted(voter).forEach(contender -> action.accept(contest.path, contender.number));
        }
    }

    @Override
    public void eachListened(Consumer<String> action) {
        for (P contest : contests.values()) {
            if (contest.isListening()) {
                action.accept(contest.path);
            }
        }
    }

    @Override
    public Optional<Registration> registration(long number) {
        Contender contender = contenders.get(number);
        return contender == null || !contender.state().isRegistered() ? Optional.empty()
                : Optional.of(contender.registration(context));
    }

    @Override
    public boolean isGone(long number) {
        return contenders.get(number) == null;
    }

    @Override
    public int nameLength(long number) {
        Contender contender = contenders.get(number);
        return contender == null ? 0 : contender.participantId.length();
    }

    @Override
    public boolean isHere(String path) {
        return contests.containsKey(path);
    }

    @Override
    public boolean isListening(String path) {
        P contest = contests.get(path);
        return contest != null && contest.isListening();
    }

    @Override
    public boolean hasListing(String path, int voter) {
        P contest = contests.get(path);
        return contest != null && contest.hasListing(voter);
    }
}
