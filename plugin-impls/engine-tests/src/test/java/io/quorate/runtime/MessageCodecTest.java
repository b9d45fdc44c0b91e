package io.quorate.runtime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Change;
import io.quorate.core.message.DirectoryMessage.Item;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.SupportMessage.Refused;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.message.VotersMessage.VotersWanted;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Seeds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The binary form of the messages between nodes: nothing is lost, and no input does harm. */
class MessageCodecTest {

    private static final int FRAMES = 100_000;
    private static final int SEEDS = Effort.of(10, 3);
    private static final Path RECORDED = Path.of("src", "test", "resources", "messages", "samples.txt");
    private static final Pattern RUN_OF_BYTES = Pattern.compile("(.. )\\1{7,}");
    /** What decoders of strings, and classes that are loaded meanwhile, may take; far below what a count can claim. */
    private static final long CONSTANT_COST = 256 * 1024;

    private final MessageCodec codec = new MessageCodec(new HighestUp());

    private byte[] bytes(NodeMessage... messages) {
        WireWriter out = new WireWriter();
        for (NodeMessage message : messages) {
            codec.write(message, out);
        }
        return out.toBytes();
    }

    private List<NodeMessage> read(byte[] bytes) throws MalformedInputException {
        return codec.read(new WireReader(bytes), reason -> {});
    }

    private void assertMalformed(byte[] bytes) {
        assertThatExceptionOfType(MalformedInputException.class).isThrownBy(() -> read(bytes));
    }

    /** Every record below a sealed interface, however deep. */
    private static Set<Class<?>> leaves(Class<?> type) {
        if (!type.isSealed()) {
            return Set.of(type);
        }
        Set<Class<?>> leaves = new HashSet<>();
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            leaves.addAll(leaves(permitted));
        }
        return leaves;
    }

    private static Set<Class<?>> classes(List<?> samples) {
        Set<Class<?>> classes = new HashSet<>();
        samples.forEach(sample -> classes.add(sample.getClass()));
        return classes;
    }

    // A new message, change or item without a sample would be tested by nothing here.
    @Test
    void everyKindOfMessageHasASample() {
        assertThat(classes(MessageSamples.ALL)).isEqualTo(leaves(NodeMessage.class));
        assertThat(classes(MessageSamples.CHANGES)).isEqualTo(leaves(Change.class));
        assertThat(classes(MessageSamples.ITEMS)).isEqualTo(leaves(Item.class));
    }

    // Nodes of other builds read and write these: whoever changes one needs a new version of the wire.
    @Test
    void everyMessageHasTheBytesThatWereRecorded() throws IOException {
        String text = MessageSamples.ALL.stream()
                .map(sample -> sample.getClass().getSimpleName() + " " + shown(bytes(sample)) + "\n")
                .collect(Collectors.joining());
        if (System.getProperty("rewrite") != null) {
            Files.writeString(RECORDED, text);
        }
        assertThat(text).as("bytes of the samples; -Drewrite writes them").isEqualTo(Files.readString(RECORDED));
    }

    /** In hexadecimal digits; of a byte that comes often in a row, how often. */
    private static String shown(byte[] bytes) {
        String digits = HexFormat.ofDelimiter(" ").formatHex(bytes);
        return RUN_OF_BYTES
                .matcher(digits + " ")
                .replaceAll(run -> run.group(1).strip() + "*" + run.group().length() / 3 + " ")
                .strip();
    }

    @Test
    void everyMessageIsReadAsItWasWritten() throws MalformedInputException {
        for (NodeMessage sample : MessageSamples.ALL) {
            assertThat(read(bytes(sample))).containsExactly(sample);
        }
    }

    @Test
    void everyMessageCutShortIsMalformed() {
        for (NodeMessage sample : MessageSamples.ALL) {
            byte[] whole = bytes(sample);
            // Where a shorter message of several would do, nothing is missing: there is one message only.
            for (int length = 1; length < whole.length; length += Math.max(1, whole.length / 200)) {
                assertMalformed(Arrays.copyOf(whole, length));
            }
        }
    }

    @Test
    void severalMessagesShareABody() throws MalformedInputException {
        NodeMessage[] all = MessageSamples.ALL.toArray(new NodeMessage[0]);
        assertThat(read(bytes(all))).containsExactly(all);
        assertThat(read(new byte[0])).isEmpty();
    }

    // Of a body that begins with each message in turn, in front of one that overtakes nothing.
    @Test
    void exactlyWhatOvertakesIsReadFirst() throws MalformedInputException {
        int overtaking = 0;
        for (NodeMessage sample : MessageSamples.ALL) {
            byte[] body = bytes(sample, sample, new Goodbye());
            WireReader in = new WireReader(body);
            List<NodeMessage> first = codec.readFirst(body, body.length, in);
            assertThat(first).isEqualTo(sample.overtakes() ? List.of(sample, sample) : List.of());
            assertThat(codec.read(in, reason -> {}))
                    .isEqualTo(sample.overtakes() ? List.of(new Goodbye()) : List.of(sample, sample, new Goodbye()));
            overtaking += sample.overtakes() ? 1 : 0;
        }
        assertThat(overtaking).as("samples that overtake").isPositive();
    }

    // A voter of an older build asks for other lives of its id in its quarantine, and is answered by the other one.
    @Test
    void messagesOfOlderBuildsAreReadAndIgnored() throws MalformedInputException {
        Heartbeat heartbeat = new Heartbeat(1, 0, 1, Optional.empty(), false, true, 0, Long.MIN_VALUE, false, -1);
        String beat = "01 01 01 00 00 01 00 80 00 00 00 00 00 00 00 00 00";
        String inquiry = " 04";
        String heard = " 05 80 80 80 80 80 80 80 80 40";
        for (String former : List.of(inquiry, heard, inquiry + heard, heard + inquiry)) {
            byte[] body = HexFormat.ofDelimiter(" ").parseHex(beat + former + " 07" + former);
            assertThat(read(body)).as(former).containsExactly(heartbeat, new Goodbye());
            WireReader in = new WireReader(body);
            assertThat(codec.readFirst(body, body.length, in)).as(former).containsExactly(heartbeat);
            assertThat(codec.read(in, reason -> {})).as(former).containsExactly(new Goodbye());
        }
        assertMalformed(new byte[] {5});
        assertMalformed(new byte[] {5, -1, -1, -1, -1, -1, -1, -1, -1, -1});
    }

    // Else an older build would take one for an answer, or for a question.
    @Test
    void codesOfFormerMessagesAreNotGivenToOthers() {
        assertThat(MessageSamples.ALL).noneMatch(sample -> bytes(sample)[0] == 4 || bytes(sample)[0] == 5);
    }

    @Test
    void unknownKindsAreMalformed() {
        for (int kind = 0; kind < 256; kind++) {
            byte[] garbage = new byte[64];
            Arrays.fill(garbage, (byte) 0xff);
            garbage[0] = (byte) kind;
            // Those without fields are read, and then the next kind is unknown.
            assertMalformed(garbage);
        }
    }

    @Test
    void aPathIsAtMostSoLong() throws MalformedInputException {
        NodeMessage longest = new Release("/" + "p".repeat(NodeMessage.PATH_MAX - 1), 1, 1, Optional.empty());
        assertThat(read(bytes(longest))).containsExactly(longest);
        assertMalformed(bytes(new Release("/" + "p".repeat(NodeMessage.PATH_MAX), 1, 1, Optional.empty())));
    }

    // Both are for people: a peer that reads them shall not be kept from the rest of the frame.
    @Test
    void textsForPeopleAreCut() throws MalformedInputException {
        String reason = "\u20ac".repeat(Refused.REASON_MAX);
        String cut = reason.substring(0, Refused.REASON_MAX / 3);
        assertThat(read(bytes(new Refused(true, reason)))).containsExactly(new Refused(true, cut));
        String participant = "x".repeat(ContenderRecord.PARTICIPANT_ID_MAX + 1);
        assertThat(read(bytes(MessageSamples.joined(participant))))
                .containsExactly(MessageSamples.joined(participant.substring(1)));
    }

    @Test
    void aTextThatIsTooLongOnTheWireIsMalformed() {
        byte[] refused = bytes(new Refused(true, "r".repeat(Refused.REASON_MAX)));
        WireWriter out = new WireWriter();
        out.writeByte(refused[0]);
        out.writeString("r".repeat(Refused.REASON_MAX + 1));
        assertMalformed(out.toBytes());
        byte[] longest = bytes(MessageSamples.joined("x".repeat(ContenderRecord.PARTICIPANT_ID_MAX)));
        byte[] longer = insert(longest, new String(longest, ISO_8859_1).indexOf("xxx"), (byte) 'x');
        int length = new String(longest, ISO_8859_1).indexOf("xxx") - 2;
        assertThat(longer[length]).as("the length, in two bytes").isEqualTo((byte) 0x80);
        longer[length]++;
        assertMalformed(longer);
    }

    private static NodeMessage elect(Message message) {
        return new Elect(1, 2, 0, 1, false, message);
    }

    @Test
    void aMessageOfAnAlgorithmThatThrowsOrIsTooLongIsNotWritten() {
        Message throwing = out -> {
            throw new IllegalStateException("broken");
        };
        Message tooLong = out -> out.writeBytes(new byte[MessageCodec.ALGORITHM_MESSAGE_MAX]);
        assertThatThrownBy(() -> bytes(elect(throwing)))
                .isInstanceOf(MessageCodec.UnwritableMessageException.class)
                .hasMessageContaining("broken");
        assertThatThrownBy(() -> bytes(elect(tooLong)))
                .isInstanceOf(MessageCodec.UnwritableMessageException.class)
                .hasMessageContaining("must be at most " + MessageCodec.ALGORITHM_MESSAGE_MAX);
    }

    // Nodes whose algorithms differ support each other all the same: the heartbeat beside the message is taken.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMessageThatTheAlgorithmCannotReadIsLeftOutAlone(boolean throwsAtReading) throws MalformedInputException {
        Message longer = out -> {
            new HighestUp.Ping(7).writeTo(out);
            out.writeByte(1);
        };
        Message sent = throwsAtReading ? new HighestUp.Ping(7) : longer;
        byte[] frame = bytes(new VotersWanted(0), elect(sent), new Goodbye());
        MessageCodec reader =
                throwsAtReading ? new MessageCodec(new BrokenAlgorithm(BrokenAlgorithm.Fault.READ)) : codec;
        List<String> reasons = new ArrayList<>();
        assertThat(reader.read(new WireReader(frame), reasons::add))
                .containsExactly(new VotersWanted(0), new Goodbye());
        assertThat(reasons).hasSize(1).first().asString().contains("cannot read one: ");
    }

    // Each frame is a body of one to three samples, damaged in one way. What is still read must be a message like any
    // other; everything else must be refused in the one allowed way, and for little memory.
    @Test
    void damagedFramesAreRefusedOrReadButDoNoHarm() {
        System.out.println(
                "MessageCodecTest.damagedFramesAreRefusedOrReadButDoNoHarm: seeds from 42, " + SEEDS + " of them");
        Seeds.each(SEEDS, 42, this::damageFrames);
    }

    private void damageFrames(long seed) {
        Random random = new Random(seed);
        List<byte[]> bodies = MessageSamples.ALL.stream().map(this::bytes).toList();
        // What is linked at the first use of a piece of code is no matter of the frame.
        Random other = new Random(~seed);
        for (int i = 0; i < FRAMES / 10; i++) {
            tryRead(damage(bodies.get(i % bodies.size()), other));
        }
        int refused = 0;
        int read = 0;
        for (int i = 0; i < FRAMES / 10; i++) {
            byte[] damaged = damage(bodies.get(random.nextInt(bodies.size())), random);
            long before = allocated();
            Optional<List<NodeMessage>> messages = tryRead(damaged);
            // A message of one byte is an object of some ten; the rest is what strings and their decoders take.
            assertThat(allocated() - before).isLessThan(CONSTANT_COST + 100L * damaged.length);
            if (messages.isPresent()) {
                read++;
                NodeMessage[] all = messages.get().toArray(new NodeMessage[0]);
                assertThat(tryRead(bytes(all))).contains(messages.get());
            } else {
                refused++;
            }
        }
        // Otherwise the damage would be too slight or too great to say anything.
        assertThat(refused).isGreaterThan(FRAMES / 50);
        assertThat(read).isGreaterThan(FRAMES / 100);
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private Optional<List<NodeMessage>> tryRead(byte[] bytes) {
        try {
            return Optional.of(read(bytes));
        } catch (MalformedInputException e) {
            return Optional.empty();
        }
    }

    private static byte[] damage(byte[] good, Random random) {
        byte[] bytes = good.clone();
        switch (random.nextInt(5)) {
            case 0 -> {
                for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
            case 1 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 2 -> bytes = insert(bytes, random.nextInt(bytes.length + 1), (byte) random.nextInt());
            case 3 -> {
                bytes = new byte[random.nextInt(300)];
                random.nextBytes(bytes);
            }
            default -> bytes[random.nextInt(Math.min(64, bytes.length))] = (byte) random.nextInt();
        }
        return bytes;
    }

    private static byte[] insert(byte[] bytes, int at, byte added) {
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
        longer[at] = added;
        return longer;
    }

    @Test
    void aListThatClaimsToBeLongAllocatesNothing() {
        WireWriter out = new WireWriter();
        out.writeByte(bytes(new Registrations(MessageSamples.EPOCH, 1, List.of()))[0]);
        out.writeUnsigned(1);
        out.writeUnsigned(1);
        out.writeUnsigned(1);
        out.writeUnsigned(16 * 1024);
        assertMalformed(out.toBytes());
        WireWriter tooMany = new WireWriter();
        tooMany.writeRaw(out.toBytes(), 0, out.length() - 3);
        tooMany.writeUnsigned(Long.MAX_VALUE);
        assertMalformed(tooMany.toBytes());
        long before = allocated();
        assertMalformed(out.toBytes());
        assertThat(allocated() - before).isLessThan(CONSTANT_COST);
    }
}
