package io.quorate.tcp;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.Proof;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.tcp.Connection.State;
import io.quorate.tcp.Wire.Answer;
import io.quorate.tcp.Wire.Challenge;
import io.quorate.tcp.Wire.Hello;
import io.quorate.tcp.Wire.Welcome;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages on a connection before frames: HELLO and WELCOME; under a secret also CHALLENGE and PROOF between them.
 * No caller gets a name, a place or room before it has shown that it knows the secret. Confined to the loop.
 */
final class Greeter {

    private final String cluster;
    private final NodeId self;
    private final Optional<HostAndPort> advertised;
    private final @Nullable Proof proof;
    private final Greeting greeting;
    private final Alarm alarm;
    private final Peers peers;
    private final Counters counters;
    private final Reports reports;
    private final Acceptor acceptor;
    private final Traffic traffic;
    private final ConnectionEvents events;
    private final Transport.Life life;
    /** A caller that could guess a nonce could have it answered before it is asked. */
    private final SecureRandom random = new SecureRandom();

    /** @param advertised where others reach this node; empty if it listens nowhere */
    Greeter(
            String cluster,
            NodeId self,
            Optional<HostAndPort> advertised,
            Optional<Proof> proof,
            Alarm alarm,
            Peers peers,
            Counters counters,
            Reports reports,
            Acceptor acceptor,
            Traffic traffic,
            ConnectionEvents events,
            Transport.Life life) {
        this.cluster = cluster;
        this.self = self;
        this.advertised = advertised;
        this.proof = proof.orElse(null);
        this.greeting = new Greeting(cluster, self, proof.isPresent());
        this.alarm = alarm;
        this.peers = peers;
        this.counters = counters;
        this.reports = reports;
        this.acceptor = acceptor;
        this.traffic = traffic;
        this.events = events;
        this.life = life;
    }

    // ---------------------------------------------------------------- the side that has dialled

    /** Its first word. */
    void sayHello(Connection connection, Peer peer) throws IOException {
        connection.become(State.GREETING);
        connection.nonce = random.nextLong();
        Hello hello = new Hello(
                Wire.VERSION_MIN,
                Wire.VERSION_MAX,
                cluster,
                self,
                peer.id(),
                connection.nonce,
                advertised,
                proof != null,
                life.name());
        connection.hello = hello.toBytes();
        connection.greet(Wire.HELLO, connection.hello);
        traffic.write(connection);
    }

    private void onChallenge(Connection connection, Peer peer, byte[] hello, Challenge challenge)
            throws IOException, MalformedInputException {
        if (proof == null || connection.isProved) {
            throw new MalformedInputException("CHALLENGE: not at this moment");
        }
        if (!proof.isRight(Challenge.text(Wire.CHALLENGE, hello, challenge.nonce()), challenge.shown())) {
            refused(connection, peer, Answer.SECRET, 0, "the node there " + Answer.SECRET.text());
            return;
        }
        connection.isProved = true;
        connection.greet(Wire.PROOF, proof.of(Challenge.text(Wire.PROOF, hello, challenge.nonce())));
        traffic.write(connection);
    }

    private void onWelcome(Connection connection, Peer peer, byte[] hello, byte[] body)
            throws IOException, MalformedInputException {
        Welcome welcome = Welcome.read(body);
        // Under a secret, a life that is not shown could be written by anyone on the way, and end this node.
        long process = isShown(hello, body) ? welcome.life() : 0;
        if (welcome.nonce() != connection.nonce) {
            throw new MalformedInputException("WELCOME that answers another HELLO");
        }
        if (proof != null && !connection.isProved && welcome.answer().isBehindProof()) {
            throw new MalformedInputException(
                    "WELCOME " + welcome.answer() + " of a node that has not shown that it knows the secret");
        }
        if (welcome.answer() == Answer.CROSSED) {
            // The peer's own connection comes, so what waits may go on waiting.
            events.close(connection);
            peer.pauseShortly(alarm.now());
        } else if (welcome.answer() != Answer.ADMITTED) {
            refused(connection, peer, welcome.answer(), process, Greeting.refusal(welcome));
        } else if (welcome.version() < Wire.VERSION_MIN || welcome.version() > Wire.VERSION_MAX) {
            throw new MalformedInputException("WELCOME of wire version " + welcome.version());
        } else {
            if (peer.keepsOut(process, life.placeNanos(), alarm.now()) == 0) {
                connection.life = process;
                events.onAdmitted(connection, peer);
            } else {
                turnAway(connection, peer);
            }
        }
    }

    /** Whether a WELCOME is as it was said, as far as this node can tell. */
    private boolean isShown(byte[] hello, byte[] welcome) {
        int end = Math.max(0, welcome.length - Proof.LENGTH);
        byte[] shown = Arrays.copyOfRange(welcome, end, welcome.length);
        return proof == null || proof.isRight(text(hello, Arrays.copyOf(welcome, end)), shown);
    }

    private static byte[] text(byte[] hello, byte[] welcome) {
        return Challenge.text(Wire.WELCOME, joined(hello, welcome), 0);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** The process that answered is another one than that which has the place. It learns that when it calls. */
    private void turnAway(Connection connection, Peer peer) throws IOException {
        if (peer.refusesLong(life.placeNanos(), alarm.now())) {
            reports.refused(
                    peer, Answer.BUSY, "another process is there than the one that is heard; stop one of the two");
        }
        peer.dialled = null;
        // This process gets none of the frames that wait for the peer, and is not heard.
        connection.peer = null;
        connection.open(alarm.now());
        connection.oweBye(Wire.BYE_FOR_NOW);
        traffic.write(connection);
        if (peer.open == null) {
            events.onFailed(peer);
        }
    }

    private void refused(Connection connection, Peer peer, Answer answer, long taker, String reason) {
        // A peer that does not know yet that a former connection has ended will find that out by itself. All else is
        // somebody's mistake, and said also if the peer was away before.
        if (answer != Answer.BUSY || peer.onBusy(life.placeNanos(), alarm.now())) {
            reports.refused(peer, answer, reason);
        }
        events.close(connection);
        if (peer.open == null) {
            events.onFailed(peer);
        }
        if (answer == Answer.BUSY && taker > 0 && taker != life.name()) {
            events.onPlaceTaken(peer, taker);
        }
    }

    // ---------------------------------------------------------------- the side that was dialled

    private void onHello(Connection connection, byte[] body) throws IOException, MalformedInputException {
        Hello hello = Hello.read(body);
        Answer answer = greeting.judge(connection, hello);
        if (answer != Answer.ADMITTED) {
            refuse(connection, hello, answer);
        } else if (proof == null) {
            admit(connection, hello);
        } else {
            connection.hello = body;
            connection.nonce = random.nextLong();
            byte[] shown = proof.of(Challenge.text(Wire.CHALLENGE, body, connection.nonce));
            connection.greet(Wire.CHALLENGE, new Challenge(connection.nonce, shown).toBytes());
            traffic.write(connection);
        }
    }

    private void onProof(Connection connection, byte[] greeted, byte[] shown)
            throws IOException, MalformedInputException {
        Hello hello = Hello.read(greeted);
        if (proof == null || !proof.isRight(Challenge.text(Wire.PROOF, greeted, connection.nonce), shown)) {
            refuse(connection, hello, Answer.SECRET);
        } else {
            admit(connection, hello);
        }
    }

    /** The caller may speak, if there is a place for it. */
    private void admit(Connection connection, Hello hello) throws IOException {
        Answer answer = greeting.place(hello, peers.get(hello.from()), life.placeNanos(), alarm.now());
        Peer peer = answer == Answer.ADMITTED ? peers.caller(hello.from(), hello.advertised(), alarm.now()) : null;
        if (peer == null) {
            refuse(connection, hello, answer == Answer.ADMITTED ? Answer.NO_ROOM : answer);
            return;
        }
        acceptor.leave(connection);
        connection.life = hello.life();
        sayWelcome(connection, hello, Answer.ADMITTED, life.name());
        events.onAdmitted(connection, peer);
    }

    /** Behind its end stands what shows that it was not changed. Older builds do not read that. */
    private void sayWelcome(Connection connection, Hello hello, Answer answer, long process) {
        byte[] said = greeting.welcome(connection, hello, answer, process).toBytes();
        byte[] heard = connection.hello;
        if (proof != null && heard != null && answer.isBehindProof()) {
            said = joined(said, proof.of(text(heard, said)));
        }
        connection.greet(Wire.WELCOME, said);
    }

    private void refuse(Connection connection, Hello hello, Answer answer) throws IOException {
        counters.connectionsRefused.increment();
        Peer peer = answer == Answer.BUSY ? peers.get(hello.from()) : null;
        long taker = peer == null ? 0 : peer.keepsOut(hello.life(), life.placeNanos(), alarm.now());
        sayWelcome(connection, hello, answer, taker);
        traffic.writeOnce(connection);
        events.close(connection);
        boolean isNews = answer != Answer.CROSSED
                && (answer != Answer.BUSY || peer != null && peer.refusesLong(life.placeNanos(), alarm.now()));
        if (isNews) {
            reports.warnOfStranger(
                    connection,
                    answer.name(),
                    "refuses {}, which says that it is {}: it {}",
                    connection,
                    hello.from(),
                    greeting.refusal(connection, hello, answer));
        }
        if (isNews && peer != null) {
            reports.secondProcess(peer, greeting.refusal(connection, hello, answer));
        }
    }

    // ---------------------------------------------------------------- both

    /** Whether this is due now. */
    private static boolean isDue(Connection connection, int type) {
        return switch (type) {
            case Wire.HELLO -> !connection.isDialled() && connection.hello == null;
            case Wire.PROOF -> !connection.isDialled() && connection.hello != null;
            case Wire.CHALLENGE, Wire.WELCOME -> connection.isDialled() && connection.hello != null;
            default -> false;
        };
    }

    /** A frame before admission. */
    void onFrame(Connection connection, int type, byte[] body) throws IOException, MalformedInputException {
        if (!isDue(connection, type)) {
            throw new MalformedInputException("frame of type " + type + ": not at this moment");
        }
        byte[] hello = connection.hello;
        Peer peer = connection.peer;
        if (hello == null) {
            onHello(connection, body);
        } else if (peer == null) {
            onProof(connection, hello, body);
        } else if (type == Wire.CHALLENGE) {
            onChallenge(connection, peer, hello, Challenge.read(body));
        } else {
            onWelcome(connection, peer, hello, body);
        }
    }
}
