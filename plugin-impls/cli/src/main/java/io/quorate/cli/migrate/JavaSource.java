package io.quorate.cli.migrate;

import io.quorate.cli.migrate.Header.Import;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One Java file: what Curator's names in it become, and which places are left. */
final class JavaSource {

    private static final String KEEPER_EXCEPTION = "org.apache.zookeeper.KeeperException";

    private static final String CLIENT_IN_FULL = CuratorTypes.CURATOR + ".framework." + CuratorTypes.CLIENT;

    private static final String COMPANION = CuratorTypes.QUORATE + ".tandem.Companion";

    /** From the names of types that differ to what is written in their place. */
    private static final Map<String, String> RENAMED = Map.of(
            CuratorTypes.CLIENT,
            CuratorTypes.CLIENT_OF_QUORATE,
            "CuratorFrameworkState",
            CuratorTypes.CLIENT_OF_QUORATE + ".State");

    /** The words of a process that leads, and does not only look. */
    private static final Set<String> OF_LEADERS =
            Set.of("addListener", "autoRequeue", "await", "hasLeadership", "takeLeadership");

    /** With a bound, because a group that repeats needs a place on the stack each time. */
    private static final Pattern MENTION =
            Pattern.compile("\\borg\\.apache\\.curator(?:\\.\\w+){0,20}|\\bCuratorFramework\\w*");

    private static final Set<String> LOOKS = Set.of("getLeader", "getParticipants");

    private final String text;
    /** Comments and literals. */
    private final List<Token> texts;

    private final Code code;
    private final Header header;

    /** From the simple names of this file to types of Curator. */
    private final Map<String, String> types = new TreeMap<>();

    /** From an import of all of a package to what is used of it and known, by full names. */
    private final Map<Import, Set<String>> usedOfAll = new HashMap<>();

    private final List<Edit> edits = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();

    private JavaSource(String text, List<Token> tokens, Function<String, Set<String>> types) {
        this.text = text;
        this.texts = tokens.stream()
                .filter(token -> token.kind() == Token.Kind.COMMENT || token.kind() == Token.Kind.LITERAL)
                .toList();
        List<Token> withoutComments = tokens.stream()
                .filter(token -> token.kind() != Token.Kind.COMMENT)
                .toList();
        this.code = new Code(withoutComments);
        this.header = Header.of(text, withoutComments);
        resolve(types.apply(header.origin()));
    }

    /**
     * Rewrites a file.
     *
     * @param types the types of a package, as far as file names tell; they hide what an import of all brings
     * @throws Unreadable if it cannot be read as Java
     */
    static Rewritten rewrite(String text, Function<String, Set<String>> types) throws Unreadable {
        JavaSource source = new JavaSource(text, JavaTokens.of(text), types);
        source.leftAlone().ifPresent(source.places::add);
        if (source.places.isEmpty()) {
            source.body();
            source.imports();
            source.looksOnly();
            source.mentions();
        }
        List<Import> imports = source.header.imports();
        return new Rewritten(
                text,
                Edit.apply(text, source.edits),
                merged(source.places),
                imports.isEmpty() ? 0 : imports.get(0).line(),
                imports.isEmpty() ? 0 : imports.get(imports.size() - 1).line());
    }

    // ---------------------------------------------------------------- what the names mean

    private void resolve(Set<String> siblings) {
        Set<String> hidden = new TreeSet<>(siblings);
        hidden.addAll(code.declared());
        for (Import each : header.imports()) {
            if (!each.isStatic() && !each.isOfAll()) {
                hidden.add(each.simpleName());
                // What stays in the import stays in the body.
                if (each.isPlain() && isOfCurator(each.name()) || each.name().equals(KEEPER_EXCEPTION)) {
                    types.put(each.simpleName(), each.name());
                }
            }
        }
        Set<String> used = code.simpleNames(header.firstOfBody());
        for (Import each : header.imports()) {
            // All types inside a known one are known.
            boolean isOfPackage =
                    each.isOfAll() && CuratorTypes.knownIn(each.name()).isEmpty();
            if (!each.isStatic() && isOfPackage && each.isPlain() && isOfCurator(each.name())) {
                Set<String> known = CuratorTypes.of(each.origin()).keySet().stream()
                        .filter(type -> used.contains(simpleName(type)) && !hidden.contains(simpleName(type)))
                        .collect(Collectors.toCollection(TreeSet::new));
                usedOfAll.put(each, known);
                known.forEach(type -> types.put(simpleName(type), type));
                String factory = CuratorTypes.CLIENT + "Factory";
                if (used.contains(factory) && each.origin().equals(CuratorTypes.CURATOR + ".framework")) {
                    types.putIfAbsent(factory, each.origin() + "." + factory);
                }
            }
        }
    }

    private static boolean isOfCurator(String name) {
        return name.startsWith(CuratorTypes.CURATOR + ".");
    }

    private static String simpleName(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }

    /** Whether the file names a type like this, by an import or in full. */
    private boolean names(Predicate<String> wanted) {
        Stream<String> imported = header.imports().stream().map(Import::name);
        Stream<String> inFull = indices(header.firstOfBody())
                .filter(i -> code.at(i).is("org") && code.isSimpleName(i))
                .mapToObj(i -> code.joined(i, code.endOfName(i)));
        return Stream.of(types.values().stream(), imported, inFull)
                .flatMap(each -> each)
                .anyMatch(wanted);
    }

    private boolean namesClient() {
        return names(name -> name.equals(CLIENT_IN_FULL) || name.startsWith(CLIENT_IN_FULL + "."));
    }

    private boolean isOfElection() {
        return names(name -> name.startsWith(CuratorTypes.RECIPES + "."));
    }

    // ---------------------------------------------------------------- files that stay as they are

    private Optional<Place> leftAlone() {
        if (header.origin().startsWith(CuratorTypes.CURATOR)) {
            return Optional.of(new Place(code.at(0).line(), header.origin(), Advice.PACKAGE_OF_CURATOR));
        }
        Optional<Place> place = companion().or(this::nameTaken).or(this::implemented);
        return place.isPresent() || isOfElection() ? place : work();
    }

    /** A class that is a client of Curator itself. */
    private Optional<Place> implemented() {
        return indices(header.firstOfBody())
                .filter(i -> code.isSimpleName(i) && isClient(i) && code.isImplemented(i))
                .mapToObj(i -> new Place(code.at(i).line(), CuratorTypes.CLIENT, Advice.NOTHING_TO_IMPLEMENT))
                .findFirst();
    }

    private boolean isClient(int index) {
        return code.at(index).is(CuratorTypes.CLIENT) && types.containsKey(CuratorTypes.CLIENT)
                || code.joined(index, code.endOfName(index)).equals(CLIENT_IN_FULL);
    }

    private IntStream indices(int from) {
        return IntStream.range(from, code.size());
    }

    /** The old side of a tandem is meant to stay Curator's: docs/migration.md#companions. */
    private Optional<Place> companion() {
        Stream<Integer> imported = header.imports().stream()
                .filter(each -> each.name().equals(COMPANION))
                .map(Import::line);
        boolean isOfAll = header.imports().stream()
                .anyMatch(each -> !each.isStatic() && each.name().equals(CuratorTypes.QUORATE + ".tandem.*"));
        Stream<Integer> named = indices(header.firstOfBody())
                .filter(i -> code.isSimpleName(i))
                .filter(i -> isOfAll && code.at(i).is("Companion")
                        || code.joined(i, code.endOfName(i)).equals(COMPANION))
                .mapToObj(i -> code.at(i).line());
        return Stream.concat(imported, named).findFirst().map(line -> new Place(line, COMPANION, Advice.COMPANION));
    }

    /** Another type has the name of our client here. */
    private Optional<Place> nameTaken() {
        String wanted = CuratorTypes.CLIENT_OF_QUORATE;
        boolean isOurs =
                header.imports().stream().anyMatch(each -> each.name().equals(CuratorTypes.QUORATE + "." + wanted));
        if (isOurs || RENAMED.keySet().stream().noneMatch(types::containsKey)) {
            return Optional.empty();
        }
        Stream<Integer> imported = header.imports().stream()
                .filter(each -> each.simpleName().equals(wanted))
                .map(Import::line);
        Stream<Integer> named = indices(header.firstOfBody())
                .filter(i -> code.isSimpleName(i) && code.at(i).is(wanted))
                .mapToObj(i -> code.at(i).line());
        return Stream.concat(imported, named).findFirst().map(line -> new Place(line, wanted, Advice.NAME_TAKEN));
    }

    /** The first thing in a file without an election that has to do with data or another recipe. */
    private Optional<Place> work() {
        Optional<Place> imported = header.imports().stream()
                .filter(each -> Advice.isOfData(each.name()))
                .map(each -> new Place(each.line(), each.name(), Advice.WORKS_WITH_DATA))
                .findFirst();
        if (imported.isPresent() || !namesClient()) {
            return imported;
        }
        return indices(header.firstOfBody())
                .filter(i ->
                        code.isMethod(i) && Advice.isOfDataMethod(code.at(i).text()))
                .mapToObj(i -> new Place(code.at(i).line(), code.at(i).text(), Advice.WORKS_WITH_DATA))
                .findFirst();
    }

    // ---------------------------------------------------------------- imports

    private void imports() {
        edits.addAll(ImportBlocks.edits(text, header.imports(), this::becomes));
        Set<String> used = code.simpleNames(header.firstOfBody());
        for (Import each : header.imports()) {
            boolean isCurators = isOfCurator(each.name());
            boolean isKnown = CuratorTypes.knownIn(each.name()).isPresent();
            if (isCurators && !each.isPlain()) {
                place(each.line(), each.name(), Advice.OVER_LINES);
            } else if (isCurators && !isKnown && isLeft(each, used)) {
                String advice = Advice.ofType(each.name()).orElse(Advice.NAMED);
                place(each.line(), each.name(), usedOfAll.containsKey(each) ? starAdvice(each) : advice);
            }
        }
    }

    private String starAdvice(Import each) {
        return CuratorTypes.of(each.origin()).isEmpty()
                ? Advice.ofType(each.name()).orElse(Advice.NAMED)
                : Advice.STAR;
    }

    /** What is named where it is used needs no second place at its import. */
    private boolean isLeft(Import each, Set<String> used) {
        return !isWhollyKnown(each) && (each.isStatic() || each.isOfAll() || !used.contains(each.simpleName()));
    }

    private static boolean isWhollyKnown(Import each) {
        return !each.isStatic() && each.name().equals(CuratorTypes.RECIPES + ".*");
    }

    /** What is imported in place of an import. */
    private List<String> becomes(Import each) {
        if (!each.isPlain()) {
            return List.of(each.name());
        }
        Set<String> used = usedOfAll.get(each);
        if (used == null) {
            return List.of(translated(each.name(), each.isStatic()));
        }
        Stream<String> names = used.stream().map(type -> translated(type, false));
        return (isWhollyKnown(each) ? names : Stream.concat(names, Stream.of(each.name()))).toList();
    }

    /** The name in Quorate, or the same if there is none. */
    private static String translated(String name, boolean isStatic) {
        Optional<String> type = CuratorTypes.knownIn(name);
        if (type.isEmpty()) {
            return name;
        }
        String standing = CuratorTypes.standsFor(type.get()).orElseThrow();
        String rest = name.substring(type.get().length());
        boolean isRenamedInside = !isStatic && rest.isEmpty() && standing.contains(".");
        // A type inside another one is written with that one, which is what has to be imported.
        String written = isRenamedInside ? standing.substring(0, standing.indexOf('.')) : standing + rest;
        return CuratorTypes.QUORATE + "." + written;
    }

    // ---------------------------------------------------------------- the body

    private void body() {
        boolean hasClient = namesClient();
        for (int i = header.firstOfBody(); i < code.size(); i++) {
            Token token = code.at(i);
            if (token.is("org") && code.isSimpleName(i)) {
                qualified(i);
            } else if (code.isMethod(i)) {
                method(token, hasClient);
            } else if (code.isSimpleName(i) && types.containsKey(token.text())) {
                simple(i, types.get(token.text()));
            } else if (token.is("doNotProxy") && types.containsKey("ConnectionStateListener")) {
                place(token.line(), token.text(), Advice.NO_PROXY);
            }
        }
    }

    /** A name in full. */
    private void qualified(int index) {
        int end = code.endOfName(index);
        String name = code.joined(index, end);
        if (!isOfCurator(name)) {
            return;
        }
        Token first = code.at(index);
        Optional<String> type = CuratorTypes.knownIn(name);
        if (type.isEmpty()) {
            place(first.line(), name, Advice.ofType(name).orElse(Advice.NAMED));
        } else if (text.startsWith(type.get(), first.start())) {
            String standing = CuratorTypes.standsFor(type.get()).orElseThrow();
            int length = type.get().length();
            edits.add(new Edit(first.start(), first.start() + length, CuratorTypes.QUORATE + "." + standing));
        } else {
            place(first.line(), name, Advice.OVER_LINES);
        }
    }

    private void simple(int index, String type) {
        Token token = code.at(index);
        String other = RENAMED.get(token.text());
        if (other != null) {
            edits.add(new Edit(token.start(), token.end(), other));
        } else if (CuratorTypes.knownIn(type).isEmpty()) {
            Advice.ofType(type).ifPresent(advice -> place(token.line(), token.text(), advice));
        } else if (token.is("LeaderSelector")
                && code.at(index - 1).is("new")
                && code.arguments(index + 1) == 5) { // client, path, factory, executor, listener
            place(token.line(), token.text(), Advice.NO_FACTORY);
        }
    }

    private void method(Token method, boolean hasClient) {
        if (hasClient) {
            Advice.ofMethod(method.text()).ifPresent(advice -> place(method.line(), method.text(), advice));
            if (method.is("blockUntilConnected")) {
                place(method.line(), method.text(), Advice.WAITS_FOR_OTHERS);
            }
        }
    }

    // ---------------------------------------------------------------- what compiles, and needs a look

    private void looksOnly() {
        boolean isOfLeaders = false;
        Optional<Token> look = Optional.empty();
        for (int i = header.firstOfBody(); i < code.size(); i++) {
            Token token = code.at(i);
            isOfLeaders |= token.isWord() && OF_LEADERS.contains(token.text());
            if (look.isEmpty() && code.isMethod(i) && LOOKS.contains(token.text())) {
                look = Optional.of(token);
            }
        }
        if (!isOfLeaders && (types.containsKey("LeaderLatch") || types.containsKey("LeaderSelector"))) {
            look.ifPresent(token -> place(token.line(), token.text(), Advice.LOOKS_ONLY));
        }
    }

    private void mentions() {
        for (Token each : texts) {
            String[] lines = each.text().split("\\R", -1);
            for (int i = 0; i < lines.length; i++) {
                Matcher mention = MENTION.matcher(lines[i]);
                if (mention.find()) {
                    place(each.line() + i, mention.group(), Advice.MENTIONED);
                }
            }
        }
    }

    // ---------------------------------------------------------------- places

    private void place(int line, String what, String advice) {
        places.add(new Place(line, what, advice));
    }

    /** What one line needs for one reason is one place. */
    private static List<Place> merged(List<Place> places) {
        record Reason(int line, String advice) {}
        Map<Reason, Set<String>> whats = new LinkedHashMap<>();
        places.stream().sorted(Comparator.comparingInt(Place::line)).forEach(place -> whats.computeIfAbsent(
                        new Reason(place.line(), place.advice()), none -> new TreeSet<>())
                .add(place.what()));
        List<Place> merged = new ArrayList<>();
        whats.forEach((reason, what) -> merged.add(new Place(reason.line, String.join(", ", what), reason.advice)));
        return merged;
    }
}
