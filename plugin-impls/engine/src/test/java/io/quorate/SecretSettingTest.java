package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.runtime.DecodedFrame;
import io.quorate.runtime.Links;
import io.quorate.spi.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The secret as it is given or found in a file, and the warning where there is none. */
class SecretSettingTest {

    private static final String ONE = "correct horse battery staple";
    private static final String TWO = "another horse, another battery";
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");

    @TempDir
    private Path directory;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ElectionConfig.Builder config() {
        return ElectionConfig.builder().nodeId("n1").peers("n1=h1:1,n2=h2:1,n3=h3:1");
    }

    private Path file(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    }

    /** Whether a node that is configured so asks a node that is configured so, as it asks whom it does not know yet. */
    private static boolean hears(ElectionConfig receiver, ElectionConfig sender) {
        Links from = new Links("default", N1, 1, 1, 4, List.of(), sender.secret());
        Links to = new Links("default", N2, 1, 1, 4, List.of(), receiver.secret());
        byte[] frame = from.seal(N2, new byte[] {1}, 1, 0).orElseThrow();
        return to.open(frame, 0) instanceof DecodedFrame.Dropped dropped && dropped.unanswered() == 1;
    }

    @Test
    void thereIsNoSecretUnlessItIsGiven() {
        assertThat(config().build().hasSecret()).isFalse();
        assertThat(config().build().secret()).isEmpty();
        assertThat(config().secret(bytes(ONE)).build().hasSecret()).isTrue();
    }

    @Test
    void nodesWithTheSameSecretHearEachOtherWhereverItStands() throws IOException {
        ElectionConfig given = config().secret(bytes(ONE)).build();
        ElectionConfig inFile = config().secretFile(file(ONE + "\n")).build();
        assertThat(hears(given, inFile)).isTrue();
        assertThat(hears(inFile, given)).isTrue();
        assertThat(hears(given, config().build())).isFalse();
        assertThat(hears(config().build(), given)).isFalse();
        assertThat(hears(given, config().secret(bytes(TWO)).build())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s", "%s\n", "%s\r\n", "\n\n%s\n\n"})
    void theEndOfALineIsNoPartOfTheSecret(String form) throws IOException {
        ElectionConfig given = config().secret(bytes(ONE)).build();
        assertThat(hears(given, config().secretFile(file(form.formatted(ONE))).build()))
                .isTrue();
    }

    @Test
    void theFirstLineSendsAndBothAreAccepted() throws IOException {
        ElectionConfig both = config().secretFile(file(ONE + "\n" + TWO + "\n")).build();
        ElectionConfig one = config().secret(bytes(ONE)).build();
        ElectionConfig two = config().secret(bytes(TWO)).build();
        assertThat(hears(one, both)).isTrue();
        assertThat(hears(two, both)).isFalse();
        assertThat(hears(both, one)).isTrue();
        assertThat(hears(both, two)).isTrue();
        ElectionConfig given = config().secret(bytes(ONE), bytes(TWO)).build();
        assertThat(hears(one, given)).isTrue();
        assertThat(hears(given, two)).isTrue();
    }

    @Test
    void theLastCallWins() throws IOException {
        ElectionConfig two = config().secret(bytes(TWO)).build();
        assertThat(hears(two, config().secretFile(file(ONE)).secret(bytes(TWO)).build()))
                .isTrue();
        assertThat(hears(two, config().secret(bytes(ONE)).secretFile(file(TWO)).build()))
                .isTrue();
    }

    @Test
    void errorOfASecretDoesNotShowIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(config().secret(bytes("tooShort"), bytes("alsoTooShort"))::build)
                .withMessage("Bad configuration: secret of 8 bytes: must be at least 16; secret of 12 bytes: must be at"
                        + " least 16");
        assertThatNullPointerException().isThrownBy(() -> config().secret(null)).withMessage("secret");
        assertThatNullPointerException()
                .isThrownBy(() -> config().secretFile(null))
                .withMessage("secretFile");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|has 0 lines: must have one, or two during a change",
                "hunter2|secret of 7 bytes: must be at least 16",
                "sixteen letters.NLhunter2|secret of 7 bytes: must be at least 16",
                "sixteen letters.NLsixteen letters,NLsixteen letters;|has 3 lines: must have one, or two",
                "sixteen lettersNUL and more|holds bytes that are no text: must be lines of text",
            })
    void whatIsWrongWithAFileIsSaidWithoutWhatItHolds(String text, String fault) throws IOException {
        Path file = file(text.replace("NUL", "\0").replace("NL", "\n"));
        assertThatIllegalArgumentException()
                .isThrownBy(config().secretFile(file)::build)
                .withMessageStartingWith("Bad configuration: secretFile '" + file + "': ")
                .withMessageContaining(fault)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hunter2", "sixteen"));
    }

    @Test
    void aFileThatIsMissingOrFarTooLongIsNamed() throws IOException {
        Path missing = directory.resolve("no-such-file");
        assertThatIllegalArgumentException()
                .isThrownBy(config().secretFile(missing).driftPercent(50)::build)
                .withMessageContaining("secretFile '" + missing + "': cannot be read: ")
                .withMessageContaining("NoSuchFileException")
                .withMessageContaining("driftPercent 50");
        assertThatIllegalArgumentException()
                .isThrownBy(config().secretFile(directory)::build)
                .withMessageContaining("cannot be read");
        assertThatIllegalArgumentException()
                .isThrownBy(config().secretFile(file("x".repeat(4097)))::build)
                .withMessageContaining("is longer than 4096 bytes");
        assertThat(config().secretFile(file("x".repeat(4096))).build().hasSecret())
                .isTrue();
    }

    @Test
    void aFileThatEverybodyMayReadIsWarnedOf() throws IOException {
        Path file = file(ONE);
        assertThat(config().secretFile(file).build().warnings()).isEmpty();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(config().secretFile(file).build().warnings())
                .singleElement()
                .asString()
                .startsWith("secretFile '" + file + "': can be read by every user")
                .contains("chmod o-r");
    }

    @Test
    void aFileThatEverybodyMayChangeIsWarnedOf() throws IOException {
        Path file = file(ONE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r---w-"));
        assertThat(config().secretFile(file).build().warnings())
                .containsExactly("secretFile '" + file + "': can be changed by every user of this machine: take that"
                        + " right away (chmod o-w; on Kubernetes defaultMode 0440)");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThat(config().secretFile(file).build().warnings())
                .containsExactly("secretFile '" + file + "': can be read and changed by every user of this machine:"
                        + " take that right away (chmod o-rw; on Kubernetes defaultMode 0440)");
    }

    @Test
    void aDataDirectoryThatEverybodyMayChangeIsWarnedOf() throws IOException {
        Path terms = Files.createDirectory(directory.resolve("terms"));
        Files.setPosixFilePermissions(terms, PosixFilePermissions.fromString("rwxr-xr-x"));
        ElectionConfig.Builder builder = config().secret(bytes(ONE)).dataDirectory(terms);
        assertThat(builder.build().warnings()).isEmpty();
        Files.setPosixFilePermissions(terms, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(builder.build().warnings())
                .containsExactly("dataDirectory '" + terms
                        + "': can be changed by every user of this machine: take that" + " right away (chmod o-w)");
    }

    // Opening a pipe waits until somebody writes to it, and a device may never end.
    @Test
    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeOrADeviceIsNamedAndNotOpened() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path link = Files.createSymbolicLink(directory.resolve("link"), pipe);
        for (Path file : List.of(pipe, link, Path.of("/dev/zero"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(config().secretFile(file)::build)
                    .withMessage("Bad configuration: secretFile '" + file
                            + "': cannot be read: must be a regular file, or a link to one");
        }
    }

    // As Kubernetes mounts a Secret: a link to a file below a link to a directory.
    @Test
    void aLinkToAFileIsFollowed() throws IOException {
        Path data = Files.createDirectory(directory.resolve("..2026"));
        Files.move(file(ONE), data.resolve("secret"));
        Files.createSymbolicLink(directory.resolve("..data"), data);
        Path link = Files.createSymbolicLink(directory.resolve("secret"), Path.of("..data", "secret"));
        assertThat(hears(
                        config().secretFile(link).build(),
                        config().secret(bytes(ONE)).build()))
                .isTrue();
    }

    // Nobody sees it, and the other nodes do not have it.
    @Test
    void aByteOrderMarkIsNoPartOfASecret() throws IOException {
        Path file = file("\uFEFF" + ONE);
        assertThatIllegalArgumentException()
                .isThrownBy(config().secretFile(file)::build)
                .withMessage("Bad configuration: secretFile '" + file
                        + "': begins with a byte order mark, the bytes EF BB BF: must be text without one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"aaaaaaaaaaaaaaaa", "1234123412341234", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
    void aSecretThatCanBeGuessedIsWarnedOf(String secret) throws IOException {
        String warning = "secret of a few different bytes: can be guessed. Take a random one (openssl rand -base64 32)";
        assertThat(config().secret(bytes(secret)).build().warnings()).containsExactly(warning);
        assertThat(config().secret(bytes(ONE), bytes(secret)).build().warnings())
                .containsExactly(warning);
        assertThat(config().secretFile(file(secret)).build().warnings()).containsExactly(warning);
        assertThat(config().secret(bytes("12345" + "1".repeat(11))).build().warnings())
                .isEmpty();
    }

    // Two clusters that nobody has named are one to each other.
    @Test
    void aSecretOfAClusterWithoutAnIdIsHintedAt() {
        ElectionConfig.Builder builder = config().secret(bytes(ONE)).dataDirectory(directory);
        assertThat(builder.build().hints())
                .singleElement()
                .asString()
                .startsWith("clusterId 'default' is the default: another cluster without an id");
        assertThat(builder.joins(true).build().hints()).hasSize(1);
        assertThat(builder.joins(false).clusterId("shop").build().hints()).isEmpty();
        assertThat(config().dataDirectory(directory).build().hints()).isEmpty();
    }

    // ---------------------------------------------------------------- plain text must be meant

    private static List<String> warnings(String peers) {
        return ElectionConfig.builder().nodeId("n1").peers(peers).build().warnings();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "n1=localhost:1,n2=LOCALHOST:2",
                "n1=127.0.0.1:1,n2=127.1.2.3:2",
                "n1=[::1]:1,n2=[0:0:0:0:0:0:0:1]:2",
                "n1=a.localhost:1"
            })
    void thisMachineAloneNeedsNoSecret(String peers) {
        assertThat(warnings(peers)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "n1=localhost:1,n2=10.0.0.2:2",
                "n1=127.0.0.1.example.org:1",
                "n1=127.example.org:1",
                "n1=[2001:db8::1]:1",
                "n1=localhost.example.org:1",
                "n1=[fe80::1%nowhere]:1",
                "n1=0.0.0.0:1"
            })
    void anAddressBeyondThisMachineIsWarnedOfOnceWithBothCures(String peers) {
        assertThat(warnings(peers))
                .singleElement()
                .asString()
                .startsWith("neither secret nor TLS")
                .contains("quorate.secret-file", "mutual TLS", "quorate.plaintext=true");
    }

    @Test
    void openListenerWithoutASecretIsWarnedAbout() {
        ElectionConfig.Builder builder = ElectionConfig.builder().nodeId("n1").peers("n1=localhost:1");
        assertThat(builder.listen("127.0.0.1:7400").build().warnings()).isEmpty();
        assertThat(builder.listen("0.0.0.0:7400").build().warnings())
                .singleElement()
                .asString()
                .contains("such as 0.0.0.0:7400");
    }

    @Test
    void explicitPlainTextOrASecretPreventsTheWarning() {
        assertThat(config().build().warnings()).hasSize(1);
        assertThat(config().plaintext(true).build().warnings()).isEmpty();
        assertThat(config().plaintext(true).build().plaintext()).isTrue();
        assertThat(config().plaintext(false).build().warnings()).hasSize(1);
        assertThat(config().secret(bytes(ONE)).build().warnings()).isEmpty();
    }
}
