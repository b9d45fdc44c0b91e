package io.quorate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.quorate.ConnectionState;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatch.State;
import io.quorate.LeaderLatchListener;
import java.io.EOFException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Each group of the contract fails on a side that is wrong in one way, and in the tests that are about it. */
@Tag("mutants")
class ContractMutantsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static Supplier<WrongSide> chosen;

    static Side wrong() {
        return chosen.get().around(new VirtualSide("ballot", PATIENCE));
    }

    static class LifeCycle extends LifeCycleContract {
        @Override
        Side open() {
            return wrong();
        }
    }

    static class Close extends CloseContract {
        @Override
        Side open() {
            return wrong();
        }
    }

    static class Await extends AwaitContract {
        @Override
        Side open() {
            return wrong();
        }
    }

    static class Listener extends ListenerContract {
        @Override
        Side open() {
            return wrong();
        }
    }

    static class View extends ViewContract {
        @Override
        Side open() {
            return wrong();
        }
    }

    static class Connection extends ConnectionContract {
        @Override
        Side open() {
            return wrong();
        }
    }

    static class Fault extends FaultContract {
        @Override
        Side open() {
            return wrong();
        }
    }

    static class SessionTimeout extends SessionTimeoutContract {
        @Override
        Side open() {
            return wrong();
        }
    }

    static class SelectorTurns extends SelectorContract {
        @Override
        Side open() {
            return wrong();
        }
    }

    private static Set<String> failures(Class<?> group, Supplier<WrongSide> side) {
        chosen = side;
        Events tests = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(group))
                .execute()
                .testEvents();
        assertThat(tests.started().count()).isPositive();
        return tests.failed()
                .map(event ->
                        ((MethodSource) event.getTestDescriptor().getSource().orElseThrow()).getMethodName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static DynamicTest fails(String mutation, Class<?> group, Supplier<WrongSide> side, String... expected) {
        return DynamicTest.dynamicTest(
                mutation, () -> assertThat(failures(group, side)).containsExactlyInAnyOrder(expected));
    }

    // Without a mutation the way through the wrapper changes nothing.
    @TestFactory
    Stream<DynamicTest> theRightSideFailsNothing() {
        return Stream.of(
                        LifeCycle.class,
                        Close.class,
                        Await.class,
                        Listener.class,
                        View.class,
                        Connection.class,
                        Fault.class,
                        SessionTimeout.class,
                        SelectorTurns.class)
                .map(group -> fails(group.getSimpleName(), group, WrongSide::new));
    }

    // ---------------------------------------------------------------- one mutation for each group, or two

    private static Object opposite(Object mode) {
        return mode == null ? null : mode == CloseMode.SILENT ? CloseMode.NOTIFY_LEADER : CloseMode.SILENT;
    }

    @TestFactory
    Stream<DynamicTest> wrongLatches() {
        return Stream.of(
                fails(
                        "a second start is accepted",
                        LifeCycle.class,
                        () -> new WrongSide().latch("start", (right, arguments) -> {
                            try {
                                return right.with();
                            } catch (IllegalStateException e) {
                                return null;
                            }
                        }),
                        "aLatchIsStartedOnce"),
                fails(
                        "EOFException has a message",
                        LifeCycle.class,
                        () -> new WrongSide().latch("await", (right, arguments) -> {
                            try {
                                return right.with(arguments);
                            } catch (EOFException e) {
                                throw new EOFException("closed");
                            }
                        }),
                        "nobodyWaitsInALatchThatIsNotOpen"),
                fails(
                        "SILENT and NOTIFY_LEADER are swapped in calls",
                        Close.class,
                        () -> new WrongSide()
                                .latch(
                                        "close",
                                        (right, arguments) -> right.with(Arrays.stream(arguments)
                                                .map(ContractMutantsTest::opposite)
                                                .toArray())),
                        "theModeOfTheCallCountsMore"),
                fails(
                        "an interrupt is not noticed",
                        Await.class,
                        () -> new WrongSide().latch("await", (right, arguments) -> {
                            Thread.interrupted();
                            return right.with(arguments);
                        }),
                        "aLeadersAnswerKeepsTheFlag",
                        "theEndOfALatchThatIsNotOpenKeepsTheFlag",
                        "interruptedThreadDoesNotAwaitLeadership",
                        "withoutTimeTheAnswerKeepsTheFlag"),
                fails(
                        "late listeners are told of the present",
                        Listener.class,
                        () -> new WrongSide().latch("addListener", (right, arguments) -> {
                            if (((Latch) right.target()).hasLeadership()) {
                                ((LeaderLatchListener) arguments[0]).isLeader();
                            }
                            return right.with(arguments);
                        }),
                        "aLateListenerHearsOfTheEndOnly"),
                fails(
                        "every call is made twice",
                        Listener.class,
                        () -> new WrongSide().latch("addListener", (right, arguments) -> right.with(twice(arguments))),
                        "aListenerMayChangeTheListeners",
                        "aListenerThatThrowsChangesNothing",
                        "aRemovedListenerHearsNothing",
                        "anExecutorIsUsedForEveryCall",
                        "callsAlternate",
                        "everyListenerIsCalledOnce",
                        "isLeaderMayAskWhoLeads",
                        "onlyTheLeadersListenersAreCalled",
                        "theFlagIsSetBeforeIsLeaderAndClearedBeforeNotLeader",
                        "theSameListenerAddedTwiceIsCalledOnce",
                        "theSecondAddReplacesTheExecutor"),
                fails(
                        "the queue is shown from its end",
                        View.class,
                        () -> new WrongSide()
                                .latch("getParticipants", (right, arguments) -> reversed((List<?>) right.with())),
                        "idsNeedNotBeUnique",
                        "latchesOfOneClientContendWithEachOther",
                        "participantsStandInTheOrderOfJoiningWithTheLeaderFirst"),
                fails(
                        "the number of the path does not rise",
                        View.class,
                        () -> new WrongSide()
                                .latch(
                                        "getLastPathIsLeader",
                                        (right, arguments) -> withoutToken((String) right.with())),
                        "aLatchHasAPathWhileItContends",
                        "theNumberOfTheLastPathRisesFromLeaderToLeader"));
    }

    private static Object[] twice(Object[] arguments) {
        if (!(arguments[0] instanceof LeaderLatchListener listener)) {
            return arguments;
        }
        Object[] doubled = arguments.clone();
        doubled[0] = new Twice(listener);
        return doubled;
    }

    private record Twice(LeaderLatchListener listener) implements LeaderLatchListener {

        @Override
        public void isLeader() {
            listener.isLeader();
            listener.isLeader();
        }

        @Override
        public void notLeader() {
            listener.notLeader();
        }
    }

    private static List<?> reversed(List<?> participants) {
        List<?> copy = new ArrayList<>(participants);
        Collections.reverse(copy);
        return copy;
    }

    private static String withoutToken(String path) {
        return path == null ? null : path.replaceAll("\\d+$", "0");
    }

    @TestFactory
    Stream<DynamicTest> wrongClientsAndSelectors() {
        return Stream.of(
                fails(
                        "RECONNECTED is called CONNECTED",
                        Connection.class,
                        () -> new WrongSide()
                                .client("onStateChange", (right, arguments) -> right.with(renaming(arguments[0]))),
                        "aClosedLatchStaysClosedWhateverTheConnectionDoes",
                        "aShortOutageIsSuspendedThenReconnected",
                        "awaitOutlastsAnOutage",
                        "reconnectedComesBeforeIsLeader",
                        "withTheSessionPolicyAShortOutageChangesNothing"),
                fails(
                        "SUSPENDED ends nothing",
                        Connection.class,
                        () -> new WrongSide().side("policy", (right, arguments) -> right.with(Policy.SESSION)),
                        "withTheStandardPolicyLeadershipEndsWithSuspended"),
                fails(
                        "who has led leads until it is closed",
                        Fault.class,
                        ContractMutantsTest::ledForEver,
                        "aLeaderThatExpiresIsReplacedAndComesBack"),
                fails(
                        "who has led leads for ever",
                        SessionTimeout.class,
                        ContractMutantsTest::ledForEver,
                        "aLeaderThatIsCutOffIsReplacedAndStopsBefore",
                        "afterALongOutageOfTheServiceOneLeads",
                        "withEitherPolicyLeadershipEndsWithLost"),
                fails(
                        "requeue answers true while it leads",
                        SelectorTurns.class,
                        () -> new WrongSide()
                                .selector(
                                        "requeue",
                                        (right, arguments) ->
                                                (boolean) right.with() || ((Selector) right.target()).hasLeadership()),
                        "requeueAnswersFalseWhileItQueuesOrLeads"));
    }

    private static WrongSide ledForEver() {
        Set<Object> led = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        return new WrongSide().latch("hasLeadership", (right, arguments) -> {
            Latch latch = (Latch) right.target();
            if (latch.hasLeadership()) {
                led.add(latch);
            }
            return latch.getState() == State.STARTED && led.contains(latch);
        });
    }

    @SuppressWarnings("unchecked")
    private static Consumer<ConnectionState> renaming(Object listener) {
        return state -> ((Consumer<ConnectionState>) listener)
                .accept(state == ConnectionState.RECONNECTED ? ConnectionState.CONNECTED : state);
    }
}
