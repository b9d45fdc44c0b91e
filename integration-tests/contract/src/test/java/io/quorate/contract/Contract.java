package io.quorate.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ConnectionState;
import io.quorate.Participant;
import io.quorate.testkit.RecordingListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What all groups of the contract need: a side for each test, and a path that no other test uses. */
abstract class Contract {

    /** Long enough for something that should not happen. */
    static final Duration A_WHILE = Duration.ofMillis(100);

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    /** What a client that is {@link #watched} was told. */
    final List<ConnectionState> states = new CopyOnWriteArrayList<>();

    Side side;
    String path;

    abstract Side open();

    @BeforeEach
    void openSide() {
        side = open();
        path = "/contract/" + NUMBERS.incrementAndGet();
    }

    @AfterEach
    void closeSide() {
        // A test that has failed between setting and clearing it must not disturb the next.
        Thread.interrupted();
        if (side != null) {
            side.close();
        }
    }

    /** A client that is connected. */
    final Client connected() throws Exception {
        Client client = side.client();
        assertThat(client.blockUntilConnected(Real.DEADLINE)).as("connected").isTrue();
        return client;
    }

    /** As {@link #connected}; its states are noted. */
    final Client watched() throws Exception {
        Client client = side.newClient();
        client.onStateChange(states::add);
        client.start();
        assertThat(client.blockUntilConnected(Real.DEADLINE)).as("connected").isTrue();
        return client;
    }

    /**
     * Lets time pass until these states have come, and maybe more. On a machine that may be busy there may be short
     * interruptions between them; and no other state.
     */
    final void awaitStates(ConnectionState... expected) {
        if (side.isPunctual()) {
            side.eventually("the states " + List.of(expected) + " come", () -> states.size() >= expected.length);
            assertThat(states).startsWith(expected);
        } else {
            Pattern interrupted = interrupted(expected);
            side.eventually(
                    "the states " + List.of(expected) + " come, with interruptions",
                    () -> interrupted.matcher(text(states)).lookingAt());
        }
    }

    private static String text(List<ConnectionState> states) {
        return states.stream().map(state -> state + " ").collect(Collectors.joining());
    }

    /** These states; where a client is connected it may be suspended and reconnected, and the other way round. */
    private static Pattern interrupted(ConnectionState... expected) {
        StringBuilder pattern = new StringBuilder();
        for (ConnectionState state : expected) {
            pattern.append(state).append(' ');
            switch (state) {
                case CONNECTED, RECONNECTED -> pattern.append("(SUSPENDED RECONNECTED )*");
                case SUSPENDED -> pattern.append("(RECONNECTED SUSPENDED )*");
                default -> {
                    // Nobody is interrupted who is lost.
                }
            }
        }
        return Pattern.compile(pattern.toString());
    }

    /** A latch that is started and has joined. */
    final Latch joined(Client client, String id) throws Exception {
        return joined(client, side.latch(client, path, id));
    }

    final Latch joined(Client client, Latch latch) throws Exception {
        latch.start();
        Latch view = side.latch(client, path);
        int count = ids(view).size();
        side.eventually(latch.getId() + " has joined", () -> latch.getOurPath() != null);
        side.eventually(
                "it is seen", () -> ids(view).size() > count || ids(view).contains(latch.getId()));
        return latch;
    }

    /** A latch that leads. */
    final Latch leading(Client client, String id) throws Exception {
        return leads(joined(client, id));
    }

    final Latch leads(Latch latch) {
        side.eventually("'" + latch.getId() + "' leads", latch::hasLeadership);
        return latch;
    }

    final void leadsNoMore(Latch latch) {
        side.eventually("'" + latch.getId() + "' leads no more", () -> !latch.hasLeadership());
    }

    /** Lets time pass until the listener has heard exactly this, and a while more. */
    final void hears(RecordingListener listener, String... expected) {
        side.eventually(
                "it hears " + List.of(expected) + ", so far " + listener.events,
                () -> listener.events.size() >= expected.length);
        side.pass(A_WHILE);
        assertThat(listener.events).containsExactly(expected);
    }

    /** The ids of those who contend, in their order. */
    final List<String> ids(Latch view) {
        return participants(view).stream().map(Participant::getId).toList();
    }

    static List<Participant> participants(Latch view) {
        try {
            return view.getParticipants();
        } catch (Exception e) {
            // Justification: getParticipants declares it; here it is a failure of the test.
            throw new AssertionError(e);
        }
    }

    static Participant leader(Latch view) {
        try {
            return view.getLeader();
        } catch (Exception e) {
            // Justification: as above.
            throw new AssertionError(e);
        }
    }

    static long leaders(Latch... latches) {
        return Stream.of(latches).filter(Latch::hasLeadership).count();
    }

    /** The number at the end of a latch's path. */
    static long number(String ourPath) {
        return Long.parseLong(ourPath.substring(ourPath.lastIndexOf('-') + 1));
    }

    /** Asked in an order in which a hand-over in between cannot look like two leaders. */
    static boolean bothLead(Latch first, Latch second) {
        return first.hasLeadership() && second.hasLeadership() && first.hasLeadership();
    }

    /** How many contend; 0 while the service cannot be asked. */
    static int contenders(Latch view) {
        try {
            return view.getParticipants().size();
        } catch (Exception e) {
            // Justification: the service is about to come back, and this is asked again.
            return 0;
        }
    }

    /** Lets time pass until one leads, and a while more. On a busy machine a lease may end meanwhile. */
    final void oneLeads(Latch first, Latch second) {
        side.eventually("one leads", () -> leaders(first, second) == 1);
        side.pass(A_WHILE);
        if (side.isPunctual()) {
            assertThat(leaders(first, second)).isEqualTo(1);
        } else {
            side.eventually("one leads, still or again", () -> {
                assertThat(bothLead(first, second)).isFalse();
                return leaders(first, second) == 1;
            });
        }
    }
}
