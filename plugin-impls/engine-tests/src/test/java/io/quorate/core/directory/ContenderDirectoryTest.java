package io.quorate.core.directory;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Change;
import io.quorate.core.message.DirectoryMessage.Item;
import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Refused;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.SupportGiven;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the voter n1 keeps of the contenders of n2 and n3: its limits, and what it tells whom. */
class ContenderDirectoryTest {

    private static final String PATH = "/app/leader";

    /** A page without ballots. */
    private static final class Leaf extends Page {
        private boolean isVoted;
        /** The node of whose contender the vote is; null if a test says nothing of it. */
        private NodeId votedFor;

        private long term;

        private Leaf(String path) {
            super(path);
        }

        @Override
        public long term() {
            return term;
        }

        @Override
        protected Optional<ContenderId> voted() {
            return isVoted ? Optional.of(contender(votedFor == null ? N2 : votedFor, 1)) : Optional.empty();
        }

        @Override
        protected boolean backs(ContenderRecord registration) {
            return isVoted
                    && (votedFor == null || votedFor.equals(registration.id().node()));
        }

        @Override
        protected boolean onGone(ContenderId gone) {
            boolean had = isVoted;
            isVoted = false;
            return had;
        }
    }

    private final StepContext context = Contexts.of(N1);
    private final SupportGiven support = new SupportGiven(context);
    private final ContenderDirectory<Leaf> directory = new ContenderDirectory<>(context, support, 7, Leaf::new);
    private final Epoch ofN2;
    private final Epoch ofN3;
    private long batch;

    ContenderDirectoryTest() {
        support.endQuarantine();
        ofN2 = support.onHeartbeat(N2, 1, Optional.empty()).orElseThrow();
        ofN3 = support.onHeartbeat(N3, 1, Optional.empty()).orElseThrow();
    }

    private static ContenderId contender(NodeId node, long number) {
        return new ContenderId(node, 1, number);
    }

    private static Change join(NodeId node, String path, long number, String name) {
        return new Change.Join(path, new ContenderRecord(contender(node, number), name, number, 0, 0, 1), false);
    }

    private static Change leave(String path, long number) {
        return new Change.Leave(path, number, true, false);
    }

    /** Registers, and answers what the voter sends because of that; what was to be said before is gone. */
    private List<NodeMessage> register(NodeId from, Epoch epoch, Change... changes) {
        context.takeEffects();
        directory.onRegistrations(from, 1, new Registrations(epoch, ++batch, List.of(changes)));
        return sent();
    }

    private List<NodeMessage> sent() {
        List<NodeMessage> messages = new ArrayList<>();
        for (NodeEffect effect : context.takeEffects()) {
            if (effect instanceof NodeEffect.Send send) {
                messages.add(send.message());
            }
        }
        return messages;
    }

    private List<Item> told(NodeId node) {
        context.takeEffects();
        directory.flush();
        List<Item> items = new ArrayList<>();
        for (NodeEffect effect : context.takeEffects()) {
            if (effect instanceof NodeEffect.Send send
                    && send.to().equals(node)
                    && send.message() instanceof Listings listings) {
                items.addAll(listings.items());
                directory.onListingsAck(node, listings.batch());
            }
        }
        return items;
    }

    /** The paths that something has happened to since this was asked last. */
    private Set<String> changedPaths() {
        Set<String> paths = new HashSet<>();
        context.agenda().work(512, paths::add);
        return paths;
    }

    private static void assertRefused(List<NodeMessage> sent, String reason) {
        assertThat(sent)
                .filteredOn(Refused.class::isInstance)
                .hasSize(1)
                .first()
                .satisfies(message -> {
                    assertThat(((Refused) message).isOfSupport()).isFalse();
                    assertThat(((Refused) message).reason()).contains(reason);
                });
    }

    private static void assertTaken(List<NodeMessage> sent) {
        assertThat(sent).noneMatch(Refused.class::isInstance);
    }

    // ---------------------------------------------------------------- limits

    @Test
    void oneNodeHasSoManyPathsAndContendersAndNoMore() {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < ContenderDirectory.PATHS_PER_NODE_MAX; i++) {
            changes.add(join(N2, "/p" + i, 2L * i, "n2"));
            changes.add(join(N2, "/p" + i, 2L * i + 1, "n2"));
        }
        assertTaken(register(N2, ofN2, changes.toArray(Change[]::new)));
        long next = ContenderDirectory.CONTENDERS_PER_NODE_MAX;
        assertRefused(register(N2, ofN2, join(N2, "/more", next, "n2")), "a node may contend on or watch 100000 paths");
        assertRefused(
                register(N2, ofN2, new Change.Watch("/more", true, true)),
                "a node may contend on or watch 100000 paths");
        assertRefused(register(N2, ofN2, join(N2, "/p1", next, "n2")), "a node may have 200000 contenders");
        assertThat(directory.find("/more")).isEmpty();
        assertTaken(register(N2, ofN2, new Change.Watch("/p1", true, true)));
        assertTaken(register(N3, ofN3, join(N3, "/more", 1, "n3")));

        register(N2, ofN2, leave("/p0", 0));
        assertTaken(register(N2, ofN2, join(N2, "/p1", next, "n2")));
        assertRefused(register(N2, ofN2, join(N2, "/p1", next + 1, "n2")), "200000 contenders");
        register(N2, ofN2, leave("/p0", 1));
        assertTaken(register(N2, ofN2, join(N2, "/more", next + 2, "n2")));
        assertRefused(register(N2, ofN2, join(N2, "/yet/more", next + 3, "n2")), "100000 paths");
    }

    @Test
    void theNamesOfOneNodeHaveSoManyCharactersTogether() {
        int rest = ContenderDirectory.NAMES_PER_NODE_MAX - PATH.length();
        String longest = "x".repeat(rest);
        assertRefused(register(N2, ofN2, join(N2, PATH, 1, longest + "y")), "16777216 characters");
        assertTaken(register(N2, ofN2, join(N2, PATH, 1, longest)));
        assertRefused(register(N2, ofN2, join(N2, PATH, 2, "y")), "16777216 characters");
        assertRefused(register(N2, ofN2, new Change.Watch("/p", true, false)), "16777216 characters");
        // A newer version of the same contender replaces its name.
        ContenderRecord shorter = new ContenderRecord(contender(N2, 1), longest.substring(2), 1, 0, 0, 2);
        assertTaken(register(N2, ofN2, new Change.Join(PATH, shorter, false)));
        assertTaken(register(N2, ofN2, new Change.Watch("/p", true, false)));
        assertRefused(register(N2, ofN2, join(N2, PATH, 2, "y")), "16777216 characters");
        register(N2, ofN2, new Change.Watch("/p", false, false));
        assertTaken(register(N2, ofN2, join(N2, PATH, 2, "yy")));
        assertRefused(register(N2, ofN2, join(N2, PATH, 3, "z")), "16777216 characters");
        register(N2, ofN2, leave(PATH, 2), leave(PATH, 1));
        assertTaken(register(N2, ofN2, join(N2, PATH, 4, longest)));
    }

    @Test
    void thereAreSoManyPathsAndNoMore() {
        for (int i = 0; i < ContenderDirectory.PATHS_MAX - 1; i++) {
            directory.page("/p" + i);
        }
        assertTaken(register(N2, ofN2, join(N2, PATH, 1, "n2")));
        assertRefused(register(N2, ofN2, join(N2, "/more", 2, "n2")), "this voter keeps 1000000 paths");
        assertThat(directory.hasRoomForVote("/more", contender(N3, 1))).isFalse();
        assertThat(directory.hasRoomForVote(PATH, contender(N3, 1))).isTrue();
        assertTaken(register(N3, ofN3, join(N3, "/p1", 1, "n3")));
    }

    @Test
    void votesAheadOfRegistrationsHaveALimit() {
        String path = "/" + "x".repeat(ContenderDirectory.NAMES_AHEAD_MAX - 1);
        assertThat(directory.hasRoomForVote(path + "x", contender(N2, 1))).isFalse();
        assertThat(directory.hasRoomForVote(path, contender(N2, 1))).isTrue();
        Leaf page = directory.page(path);
        page.isVoted = true;
        directory.onVoted(page, contender(N2, 1));
        assertThat(directory.hasRoomForVote("/p", contender(N2, 1))).isFalse();
        assertThat(directory.hasRoomForVote(path, contender(N2, 1)))
                .as("is counted already")
                .isTrue();
        assertThat(directory.hasRoomForVote("/p", contender(N3, 1))).isTrue();
        directory.sweep();
        assertThat(directory.hasRoomForVote("/p", contender(N2, 1)))
                .as("it still has the vote")
                .isFalse();
        page.isVoted = false;
        directory.sweep();
        assertThat(directory.hasRoomForVote("/p", contender(N2, 1))).isTrue();
        assertThat(directory.find(path)).isEmpty();
    }

    @Test
    void registeredContenderHasRoomForItsVote() {
        String path = "/" + "x".repeat(ContenderDirectory.NAMES_AHEAD_MAX);
        register(N2, ofN2, join(N2, path, 1, "n2"));
        assertThat(directory.hasRoomForVote(path, contender(N2, 1))).isTrue();
        assertThat(directory.hasRoomForVote(path, contender(N2, 2))).isFalse();
    }

    // ---------------------------------------------------------------- who is listed

    @Test
    void aNodeRegistersItsOwnContendersAlone() {
        register(N2, ofN2, join(N3, PATH, 1, "n3"));
        assertThat(directory.contenders(PATH)).isEmpty();
        register(N2, ofN3, join(N2, PATH, 1, "n2"));
        assertThat(directory.contenders(PATH)).as("in another epoch").isEmpty();
        register(N2, ofN2, join(N2, PATH, 1, "n2"));
        assertThat(directory.contenders(PATH)).hasSize(1);
        assertThat(directory.contenders("/p")).isEmpty();
    }

    @Test
    void anOlderBatchChangesNothing() {
        register(N2, ofN2, join(N2, PATH, 1, "n2"));
        long last = batch;
        batch = last - 1;
        register(N2, ofN2, leave(PATH, 1));
        assertThat(directory.contenders(PATH)).hasSize(1);
    }

    @Test
    void registrationsEndWithTheSupportAndOthersAreNotified() {
        register(N2, ofN2, join(N2, PATH, 1, "n2"));
        register(N3, ofN3, join(N3, PATH, 1, "n3"));
        told(N3);
        directory.page(PATH).term = 12;
        changedPaths();
        directory.end(N2);
        assertThat(told(N3)).containsExactly(new Item.Unlisted(PATH, contender(N2, 1)));
        assertThat(changedPaths()).contains(PATH);
        directory.end(N3);
        assertThat(directory.size()).isZero();
        assertThat(directory.floor()).as("the term lives on").isEqualTo(12);
    }

    @Test
    void aSessionOfANewEpochBeginsEmpty() {
        register(N2, ofN2, join(N2, PATH, 1, "n2"));
        Epoch next = support.onHeartbeat(N2, 1, Optional.of(ofN2)).orElseThrow();
        register(N2, next, join(N2, "/other", 2, "n2"));
        assertThat(directory.contenders(PATH)).isEmpty();
        assertThat(directory.contenders("/other")).hasSize(1);
    }

    @Test
    void finalLeaveReleasesTheVote() {
        register(N2, ofN2, join(N2, PATH, 1, "n2"));
        directory.page(PATH).isVoted = true;
        changedPaths();
        register(N2, ofN2, new Change.Leave(PATH, 1, false, true));
        assertThat(directory.page(PATH).isVoted).isTrue();
        register(N2, ofN2, leave(PATH, 1));
        assertThat(directory.find(PATH)).isEmpty();
        assertThat(changedPaths()).contains(PATH);
    }

    /** Registers contenders of n2 on so many paths. */
    private void registerMany(int count) {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            changes.add(join(N2, "/p" + i, i, "n2"));
        }
        register(N2, ofN2, changes.toArray(Change[]::new));
    }

    private long listed(int count) {
        return IntStream.range(0, count)
                .filter(i -> !directory.contenders("/p" + i).isEmpty())
                .count();
    }

    // A step that took them all from a hundred thousand pages would keep the heartbeats of others waiting.
    @Test
    void registrationsOfANodeEndInPortions() {
        registerMany(1_000);
        directory.end(N2);
        long left = listed(1_000);
        assertThat(left).isBetween(400L, 999L);
        directory.work(100);
        assertThat(listed(1_000)).isEqualTo(left - 100);
        assertThat(directory.hasWork()).isTrue();
        directory.work(1_000);
        assertThat(listed(1_000)).isZero();
        assertThat(directory.size()).isZero();
        assertThat(directory.hasWork()).isFalse();
    }

    // Its contenders in the former epoch would pass for those in the new one.
    @Test
    void aNodeRegistersAnewWhenNothingIsLeftOfWhatItHad() {
        registerMany(1_000);
        directory.end(N2);
        assertThat(register(N2, ofN2, join(N2, "/p999", 999, "n2")))
                .as("an acknowledgement")
                .isEmpty();
        assertTaken(register(N3, ofN3, join(N3, "/p999", 1, "n3")));
        directory.work(1_000);
        assertThat(register(N2, ofN2, join(N2, "/p999", 999, "n2"))).hasSize(1);
        assertThat(directory.contenders("/p999")).hasSize(2);
    }

    // The node may have a new epoch, and a vote in it, before the page is looked at. It is forgotten when that ends.
    @Test
    void aPageWithAVoteAloneIsForgottenWithIt() {
        registerMany(1_000);
        directory.end(N2);
        Leaf page = directory.page("/p999");
        page.isVoted = true;
        directory.onVoted(page, contender(N2, 999));
        directory.work(1_000);
        assertThat(directory.size()).isEqualTo(1);
        directory.sweep();
        assertThat(directory.size()).isEqualTo(1);
        page.isVoted = false;
        directory.sweep();
        assertThat(directory.size()).isZero();
    }

    // ---------------------------------------------------------------- what is told

    @Test
    void nodeThatAsksGetsTheWholeList() {
        register(N3, ofN3, join(N3, PATH, 1, "n3"));
        register(N2, ofN2, new Change.Watch(PATH, true, true));
        assertThat(told(N2)).singleElement().satisfies(item -> {
            Item.Snapshot snapshot = (Item.Snapshot) item;
            assertThat(snapshot.isComplete()).isTrue();
            assertThat(snapshot.registrations()).extracting(ContenderRecord::id).containsExactly(contender(N3, 1));
        });
        register(N2, ofN2, new Change.Watch("/empty", true, true));
        register(N2, ofN2, new Change.Watch("/empty", false, false));
        assertThat(told(N2)).containsExactly(new Item.Snapshot("/empty", 7, true, List.of()));
    }

    @Test
    void aLongListTravelsInParts() {
        List<Change> changes = new ArrayList<>();
        Set<ContenderId> all = new HashSet<>();
        for (int number = 0; number < 500; number++) {
            changes.add(join(N3, PATH, number, "name"));
            all.add(contender(N3, number));
        }
        register(N3, ofN3, changes.toArray(Change[]::new));
        register(N2, ofN2, new Change.Watch(PATH, true, true));
        Set<ContenderId> heard = new HashSet<>();
        List<Item> items = told(N2);
        assertThat(items.get(0)).isInstanceOfSatisfying(Item.Snapshot.class, snapshot -> {
            assertThat(snapshot.isComplete()).isFalse();
            // 48 bytes, the longest node id, and three for each character of the name: as much as fits into 12 KiB.
            assertThat(snapshot.registrations()).hasSize(12 * 1024 / (12 + 64 + 48));
            snapshot.registrations().forEach(each -> heard.add(each.id()));
        });
        Item last = items.get(0);
        for (int batches = 0; batches < 50 && !(last instanceof Item.Complete); batches++) {
            for (Item item : told(N2)) {
                last = item;
                if (item instanceof Item.Listed listed) {
                    heard.add(listed.registration().id());
                }
            }
        }
        assertThat(last).isEqualTo(new Item.Complete(PATH, 0));
        assertThat(heard).isEqualTo(all);
    }

    // It was in the list before its own word had its turn: who leaves then is not one that nobody heard of.
    @Test
    void listedContenderIsReportedAsLeft() {
        List<Change> many = new ArrayList<>();
        for (int number = 0; number < 200; number++) {
            many.add(join(N3, "/a", number, "name"));
            many.add(join(N3, "/b", 1_000 + number, "name"));
        }
        register(N3, ofN3, many.toArray(Change[]::new));
        // Two long lists fill the batch behind that of PATH.
        register(
                N2,
                ofN2,
                new Change.Watch(PATH, true, true),
                new Change.Watch("/a", true, true),
                new Change.Watch("/b", true, true));
        register(N3, ofN3, join(N3, PATH, 5_000, "n3"));
        assertThat(told(N2)).first().isInstanceOfSatisfying(Item.Snapshot.class, snapshot -> assertThat(
                        snapshot.registrations())
                .hasSize(1));
        register(N3, ofN3, leave(PATH, 5_000));
        List<Item> items = new ArrayList<>();
        for (int batches = 0; batches < 50; batches++) {
            items.addAll(told(N2));
        }
        assertThat(items).contains(new Item.Unlisted(PATH, contender(N3, 5_000)));
    }

    @Test
    void aTokenIsToldOfWhoHasTheVote() {
        register(N2, ofN2, new Change.Watch(PATH, true, true));
        register(N3, ofN3, join(N3, PATH, 1, "n3"));
        told(N2);
        ContenderRecord leading = new ContenderRecord(contender(N3, 1), "n3", 1, 0, 9, 2);
        register(N3, ofN3, new Change.Join(PATH, leading, false));
        assertThat(told(N2)).containsExactly(new Item.Listed(PATH, leading.withoutToken()));
        Leaf page = directory.page(PATH);
        page.isVoted = true;
        directory.onVoted(page, contender(N3, 1));
        assertThat(told(N2)).containsExactly(new Item.Listed(PATH, leading));
    }

    @Test
    void theApplicationsStringStandsForAnEqualOne() {
        register(N2, ofN2, join(N2, PATH, 1, "n2"));
        String equal = String.valueOf(PATH.toCharArray());
        directory.adopt(equal);
        assertThat(directory.page(PATH).path()).isSameAs(equal);
        directory.adopt("/unknown");
        assertThat(directory.find("/unknown")).isEmpty();
    }

    private Leaf votedAheadOfAnotherThatLeaves() {
        register(N3, ofN3, join(N3, PATH, 1, "n3"));
        Leaf page = directory.page(PATH);
        page.isVoted = true;
        page.votedFor = N2;
        directory.onVoted(page, contender(N2, 1));
        directory.sweep();
        // Its own vote would be free then.
        page.setContenders(page.contenders().without(contender(N3, 1)));
        return page;
    }

    @Test
    void aVoteAheadIsLookedAtAgainAlthoughAnotherContenderWasRegisteredMeanwhile() {
        Leaf page = votedAheadOfAnotherThatLeaves();
        directory.sweep();
        assertThat(directory.size()).isEqualTo(1);
        page.isVoted = false;
        directory.sweep();
        assertThat(directory.size()).isZero();
    }

    @Test
    void aVoteForWhoHasRegisteredMeanwhileIsNoLongerAhead() {
        String path = "/" + "x".repeat(ContenderDirectory.NAMES_AHEAD_MAX - 1);
        Leaf page = directory.page(path);
        page.isVoted = true;
        page.votedFor = N2;
        directory.onVoted(page, contender(N2, 1));
        register(N2, ofN2, join(N2, path, 1, "n2"));
        directory.sweep();
        assertThat(directory.hasRoomForVote("/p", contender(N2, 1))).isTrue();
    }

    @Test
    void aVoterThatVotesNoMoreForgetsPagesWithAVoteAlone() {
        Leaf page = votedAheadOfAnotherThatLeaves();
        directory.endAll();
        page.isVoted = false;
        directory.sweep();
        assertThat(directory.size()).isZero();
    }

    // A claim in a new epoch: what was registered in the former one is void.
    @Test
    void aVoidTokenIsNotTold() {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            changes.add(new Change.Join("/p" + i, new ContenderRecord(contender(N2, i), "n2", i + 1, 0, 5, 1), false));
        }
        register(N2, ofN2, changes.toArray(Change[]::new));
        register(N3, ofN3, join(N3, "/p999", 1, "n3"));
        told(N3);
        directory.end(N2);
        told(N3);
        Leaf page = directory.page("/p999");
        page.isVoted = true;
        directory.onVoted(page, contender(N2, 999));
        assertThat(told(N3).toString()).doesNotContain("token=5");
    }

    @Test
    void registrationWithoutRoomIsNoted() {
        context.takeEffects();
        Change join = join(N2, PATH, 1, "x".repeat(ContenderDirectory.NAMES_PER_NODE_MAX + 1));
        directory.onRegistrations(N2, 1, new Registrations(ofN2, 1, List.of(join)));
        assertThat(context.takeEffects())
                .contains(new NodeEffect.Note(
                        true,
                        "no longer listing registrations of node n2: the names of a node's paths and contenders may"
                                + " have 16777216 characters together, and no more"));
    }

    @Test
    void nothingIsLeftOfWhoeverWatchedOrContendedAtTheEnd() {
        register(N2, ofN2, new Change.Watch("/watched", true, false), join(N2, PATH, 1, "n2"));
        directory.endAll();
        assertThat(directory.size()).isZero();
    }

    @Test
    void aContenderThatCameAndWentIsToldOnlyToThoseWhoKnewOfIt() {
        register(N3, ofN3, new Change.Watch(PATH, true, false));
        told(N3);
        register(N2, ofN2, join(N2, PATH, 1, "n2"));
        register(N2, ofN2, leave(PATH, 1));
        assertThat(told(N3)).as("nobody knew").isEmpty();
        register(N2, ofN2, join(N2, PATH, 2, "n2"));
        told(N3);
        ContenderRecord changed = new ContenderRecord(contender(N2, 2), "n2", 9, 0, 0, 2);
        ContenderRecord copy = new ContenderRecord(contender(N2, 2), "n2", 8, 0, 0, 2);
        register(N2, ofN2, new Change.Join(PATH, changed, false), new Change.Join(PATH, copy, false));
        assertThat(directory.contenders(PATH))
                .as("a version is registered once")
                .containsExactly(changed);
        register(N2, ofN2, leave(PATH, 2));
        assertThat(told(N3)).containsExactly(new Item.Unlisted(PATH, contender(N2, 2)));
        assertThat(context.timers().size()).as("one for each node").isEqualTo(2);
    }

    @Test
    void subscribedNodeGetsTheListOnlyOnRequest() {
        register(N3, ofN3, new Change.Watch(PATH, true, false));
        told(N3);
        register(N3, ofN3, join(N3, PATH, 1, "n3"));
        assertThat(told(N3)).singleElement().isInstanceOf(Item.Listed.class);
        register(N3, ofN3, new Change.Watch(PATH, true, true));
        assertThat(told(N3)).singleElement().isInstanceOf(Item.Snapshot.class);
    }

    // Of names of 3,000 characters, 9 kB on the wire, few fit into a batch of 24 kB.
    @ParameterizedTest
    @ValueSource(strings = {"paths", "lists", "contenders"})
    void aBatchHasWhatFits(String what) {
        String longName = "n".repeat(3_000);
        List<Change> joins = new ArrayList<>();
        List<Change> watches = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String path = what.equals("paths") ? longName + i : what.equals("lists") ? "/" + i : PATH;
            joins.add(join(N2, path, i, what.equals("paths") ? "n2" : longName));
            watches.add(new Change.Watch(path, true, false));
        }
        if (what.equals("contenders")) {
            register(N3, ofN3, watches.get(0));
            told(N3);
            register(N2, ofN2, joins.toArray(Change[]::new));
        } else {
            register(N2, ofN2, joins.toArray(Change[]::new));
            told(N2);
            register(N3, ofN3, watches.toArray(Change[]::new));
        }
        assertThat(told(N3)).hasSize(3);
    }

    @Test
    void aVoteAheadCountsForTheNodeOfItsContenderOnly() {
        String path = "/" + "x".repeat(ContenderDirectory.NAMES_AHEAD_MAX - 1);
        Leaf page = directory.page(path);
        page.isVoted = true;
        page.votedFor = N2;
        directory.onVoted(page, contender(N2, 1));
        register(N3, ofN3, join(N3, path, 1, "n3"));
        directory.end(N3);
        assertThat(directory.hasRoomForVote("/p", contender(N3, 1))).isTrue();
        assertThat(directory.hasRoomForVote("/p", contender(N2, 1))).isFalse();
    }

    @Test
    void aVoteThatHasBecomeThatOfAnotherNodeIsLookedAtForThatOne() {
        Leaf page = directory.page(PATH);
        page.isVoted = true;
        page.votedFor = N2;
        directory.onVoted(page, contender(N2, 1));
        page.votedFor = N3;
        directory.sweep();
        page.isVoted = false;
        directory.sweep();
        assertThat(directory.size()).isZero();
    }

    // The release of a contender that pauses may be lost, and its node forgets its places when half of them are left.
    @Test
    void aVoteOfAContenderThatIsNoLongerRegisteredIsLookedAtAgain() {
        IntStream.range(0, 100).forEach(i -> {
            register(N2, ofN2, join(N2, PATH + i, 1, "n2"));
            directory.find(PATH + i).orElseThrow().isVoted = true;
            register(N2, ofN2, new Change.Leave(PATH + i, 1, false, false));
        });
        directory.end(N2);
        directory.sweep();
        assertThat(directory.size()).isEqualTo(100);
        IntStream.range(0, 100).forEach(i -> directory.find(PATH + i).orElseThrow().isVoted = false);
        directory.sweep();
        assertThat(directory.size()).isZero();
    }
}
