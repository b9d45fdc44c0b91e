package io.quorate.core.path;

import io.quorate.core.collection.LongMap;
import io.quorate.core.directory.DirectoryClient;
import io.quorate.core.directory.OwnRegistrations;
import io.quorate.core.directory.VoterListings;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.path.ContenderState.Registered;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.SupportHeld;
import io.quorate.spi.NodeId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** All paths on which this node contends, or which it watches, and its contenders. */
final class PathTable implements OwnRegistrations {

    /** Paths that are looked at when a walk begins. */
    static final int PATHS_AT_ONCE = 512;

    private final StepContext context;
    private final DirectoryClient directoryClient;

    private final Map<String, ContendedPath> byName = new LinkedHashMap<>();
    private final LongMap<LocalContender> contenders = new LongMap<>();
    private final VoterListings.Beginnings beginnings;
    /** The actions of the next walk at each path, and those of this walk at the remaining paths. */
    private Map<String, Consumer<ContendedPath>> next = new LinkedHashMap<>();

    private Map<String, Consumer<ContendedPath>> present = Map.of();
    private Deque<ContendedPath> left = new ArrayDeque<>();
    /** Paths that may still be looked at before the next {@link #work}. */
    private int pathsLeft = PATHS_AT_ONCE;

    PathTable(StepContext context, SupportHeld supportHeld) {
        this.context = context;
        directoryClient = new DirectoryClient(context, this, supportHeld);
        beginnings = new VoterListings.Beginnings(context);
    }

    DirectoryClient directoryClient() {
        return directoryClient;
    }

    Iterable<ContendedPath> all() {
        return byName.values();
    }

    /** The beginnings of the voters' lists of all paths. */
    VoterListings.Beginnings beginnings() {
        return beginnings;
    }

    Optional<ContendedPath> find(String path) {
        return Optional.ofNullable(byName.get(path));
    }

    ContendedPath findOrAdd(String path, Function<String, ContendedPath> creation) {
        return byName.computeIfAbsent(path, creation);
    }

    /** The path of a contender that has not left: never null. */
    ContendedPath of(LocalContender contender) {
        return Objects.requireNonNull(byName.get(contender.path));
    }

    void forgetIfUnused(ContendedPath contended) {
        if (contended.isUnused()) {
            byName.remove(contended.path);
            context.emit(new NodeEffect.ViewChanged(contended.path));
        }
    }

    LongMap<LocalContender> contenders() {
        return contenders;
    }

    Optional<LocalContender> contender(long number) {
        return Optional.ofNullable(contenders.get(number));
    }

    /** The contender of this number, if it contends on this path. */
    Optional<LocalContender> contender(String path, long number) {
        Optional<LocalContender> contender = contender(number);
        return contender.isPresent() && contender.get().path.equals(path) ? contender : Optional.empty();
    }

    // ---------------------------------------------------------------- walks over all of them, some in each step

    /**
     * Looks at each path, because something may matter to any of them. That is over at once where there are few.
     * Otherwise heartbeats pass in between: a node with thousands of paths that is busy for as long as a lease lasts
     * counts as dead. A walk that begins during another waits for its end.
     *
     * @param what the name of it: of one name, the last one waits
     * @param look at a path, which may be gone by then
     */
    void begin(String what, Consumer<ContendedPath> look) {
        next.put(what, look);
        goOn();
    }

    /** Whether paths are left to look at. */
    boolean isUnderWay() {
        return !left.isEmpty() || !next.isEmpty();
    }

    /** Looks at so many of the next paths; called in each step. */
    void work(int max) {
        pathsLeft = Math.max(pathsLeft, max);
        goOn();
    }

    private void goOn() {
        while (pathsLeft > 0 && isUnderWay()) {
            if (left.isEmpty()) {
                present = next;
                next = new LinkedHashMap<>();
                left = new ArrayDeque<>(byName.values());
            } else {
                pathsLeft--;
                ContendedPath path = left.remove();
                present.values().forEach(look -> look.accept(path));
            }
        }
    }

    // ---------------------------------------------------------------- what is registered

    /** The registration of the contender has changed, so the voters and the application must be told. */
    void changed(LocalContender contender) {
        contender.version = directoryClient.nextVersion();
        of(contender).ownChanged();
        directoryClient.changed(contender.path, contender.number);
        context.emit(new NodeEffect.ViewChanged(contender.path));
    }

    /** All paths are to be evaluated. */
    void evaluateAll() {
        begin("evaluation", contended -> context.agenda().add(contended.path));
    }

    /** The voter has forgotten everything: it is told everything again. */
    void registerAll(int voter) {
        NodeId id = context.voter(voter);
        beginnings.add(voter);
        begin("epoch of " + id, contended -> {
            int present = context.voterIndex(id);
            if (present >= 0) {
                register(present, contended);
            }
        });
    }

    private void register(int voter, ContendedPath contended) {
        for (LocalContender contender : contended.own()) {
            if (contender.state() instanceof Registered) {
                directoryClient.register(voter, contended.path, contender.number);
            }
        }
        if (contended.isListening()) {
            directoryClient.registerWatch(voter, contended.path);
        }
    }

    /**
     * The voter had no room for all that this node registers. Contenders that it does not list are registered again.
     */
    void registerUnlisted(int voter) {
        NodeId id = context.voter(voter);
        begin("room of " + id, contended -> {
            int present = context.voterIndex(id);
            if (present < 0) {
                return;
            }
            if (contended.isListening() && !contended.hasListing(present)) {
                directoryClient.registerWatch(present, contended.path);
            }
            for (LocalContender contender : contended.unlisted(present)) {
                directoryClient.register(present, contended.path, contender.number);
            }
        });
    }

    @Override
    public Optional<ContenderRecord> registration(long number) {
        LocalContender contender = contenders.get(number);
        return contender == null || !(contender.state() instanceof Registered)
                ? Optional.empty()
                : Optional.of(contender.registration(context));
    }

    @Override
    public boolean isGone(long number) {
        return contenders.get(number) == null;
    }

    @Override
    public int nameLength(long number) {
        LocalContender contender = contenders.get(number);
        return contender == null ? 0 : contender.participantId.length();
    }

    @Override
    public boolean isHere(String path) {
        return byName.containsKey(path);
    }

    @Override
    public boolean isListening(String path) {
        ContendedPath contended = byName.get(path);
        return contended != null && contended.isListening();
    }

    @Override
    public boolean hasListing(String path, int voter) {
        ContendedPath contended = byName.get(path);
        return contended != null && contended.hasListing(voter);
    }
}
