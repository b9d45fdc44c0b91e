package io.quorate.core;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** All paths on which this node contends, or which it watches, and its contenders. */
final class Paths<P extends Contest> {

    private final Map<String, P> contests = new LinkedHashMap<>();
    private final ByNumber<Contender> contenders = new ByNumber<>();

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
}
