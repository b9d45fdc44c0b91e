package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Defaults, rules and hints of the configuration. */
class ElectionConfigTest {

    private static ElectionConfig.Builder three() {
        return ElectionConfig.builder().nodeId("n1").peers("n1=h1:7001, n2=h2:7001,n3=[::1]:7001");
    }

    @Test
    void defaultsAreTheDocumentedOnes() {
        ElectionConfig config = three().build();
        assertThat(config.clusterId()).isEqualTo("default");
        assertThat(config.voters()).containsExactly("n1", "n2", "n3");
        assertThat(config.dataDirectory()).isEmpty();
        assertThat(config.heartbeat()).isEqualTo(Duration.ofMillis(200));
        assertThat(config.supportDuration()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.delta()).isEqualTo(Duration.ofMillis(20));
        assertThat(config.driftPercent()).isEqualTo(10);
        assertThat(config.algorithm()).isEqualTo("ballot");
        assertThat(config.transportName()).isEqualTo("vertx");
        assertThat(config.transport()).isEmpty();
        assertThat(config.rankOrder()).isEqualTo(RankOrder.JOIN_ORDER);
        assertThat(config.priority()).isZero();
        assertThat(config.preempt()).isFalse();
        assertThat(config.plaintext()).isFalse();
        assertThat(config.isTransportNamed()).isFalse();
        assertThat(config.namespace()).isEmpty();
        assertThat(config.connectionTimeout()).isEqualTo(Duration.ofSeconds(15));
        assertThat(config.connectionStateErrorPolicy()).isInstanceOf(SessionConnectionStateErrorPolicy.class);
        assertThat(config.joins()).isFalse();
    }

    @Test
    void profilesHaveTheTimesOfTheProtocol() {
        assertThat(Profile.FAST.heartbeat()).hasMillis(25);
        assertThat(Profile.FAST.supportDuration()).hasMillis(150);
        assertThat(Profile.FAST.delta()).hasMillis(5);
        assertThat(Profile.CALM.heartbeat()).hasMillis(1000);
        assertThat(Profile.CALM.supportDuration()).hasMillis(6000);
        assertThat(Profile.CALM.delta()).hasMillis(50);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n1 | n1=h1:1 | false | '' | peers [n1]: must name another node, because joins asks it who votes",
                "n4 | n1=h1:1 | true | '' | dataDirectory 'd': a node that may come to vote must be one of the peers [n1], with the address at which others reach it, and 'n4' is none",
                "n4 | n1=h1:1 | false | 0.0.0.0:1 | listen 0.0.0.0:1: only a node that is one of the peers listens, with the address at which others reach it, and 'n4' is none of [n1]",
                "n4 | '' | false | '' | peers: must be given, this node included, unless transport(Transport) is",
            })
    void whoJoinsNamesSomebodyAndIsReachedIfItMayVote(
            String id, String peers, boolean isDurable, String listen, String fault) {
        ElectionConfig.Builder builder =
                ElectionConfig.builder().nodeId(id).peers(peers).joins(true);
        if (isDurable) {
            builder.dataDirectory(Path.of("d"));
        }
        if (!listen.isEmpty()) {
            builder.listen(listen);
        }
        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessage("Bad configuration: " + fault);
    }

    @Test
    void theThreeFormsOfPeersMeanTheSame() {
        Map<NodeId, HostAndPort> expected =
                Map.of(new NodeId("n1"), new HostAndPort("h1", 1), new NodeId("n2"), new HostAndPort("::1", 2));
        assertThat(ElectionConfig.builder()
                        .nodeId("n1")
                        .peers("n1=h1:1,n2=[::1]:2")
                        .build()
                        .peers())
                .isEqualTo(expected);
        assertThat(ElectionConfig.builder()
                        .nodeId("n1")
                        .peers(Map.of("n1", "h1:1", "n2", "[::1]:2"))
                        .build()
                        .peers())
                .isEqualTo(expected);
        assertThat(ElectionConfig.builder()
                        .nodeId("n1")
                        .peer("n1", "h1", 1)
                        .peer("n2", "::1", 2)
                        .build()
                        .peers())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n1             | peer 'n1': must be id=host:port",
                "n1=h1          | peer 'n1=h1': must be id=host:port",
                "n1=h1:x        | peer 'n1=h1:x': port 'x': must be a number from 1 to 65535",
                "n1=h1:0        | peer 'n1=h1:0': port 0: must be from 1 to 65535",
                "n1=:1          | peer 'n1=:1': host '': must not be empty",
                "n 1=h1:1       | peer 'n 1=h1:1': node id 'n 1': must be 1 to 64 characters",
                "n1=::1:1       | peer 'n1=::1:1': an IPv6 address must be in brackets",
                "n1=h1:1,       | peer '': must be id=host:port",
                "n1=http://h:1  | peer 'n1=http://h:1': host 'http://h': must be a name or an address, nothing before",
                "n1=h:1:2       | peer 'n1=h:1:2': host 'h:1': must be a name or an address, nothing before or behind it",
                "n1=h:1/p:2     | peer 'n1=h:1/p:2': host 'h:1/p': must be a name or an address, nothing before or behind it",
                "n1=h:1;n2=h:2  | peer 'n1=h:1;n2=h:2': must be id=host:port, with commas between peers",
                "n1=h:1 n2=h:2  | peer 'n1=h:1 n2=h:2': must be id=host:port, with commas between peers",
                "n1=a b:1       | peer 'n1=a b:1': host 'a b': must be a name or an address, without blanks",
                "n1=h:1,n1=h:2  | peer 'n1=h:2': node n1 is given twice",
                "n1=h:1,n2=h:1  | peer 'n2=h:1': has the address of node n1",
            })
    void aFaultyPeerIsNamed(String peers, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(ElectionConfig.builder().nodeId("n1").peers(peers)::build)
                .withMessageContaining(message);
    }

    @Test
    void linesBetweenPeersAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(ElectionConfig.builder().nodeId("n1").peers("n1=h:1\nn2=h:2\n")::build)
                .withMessageContaining("must be id=host:port, with commas between peers");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HostAndPort("a\tb", 1))
                .withMessage("host 'a\tb': must be a name or an address, without blanks");
    }

    @Test
    void aTimeIsAboveZeroAndAtMostADay() {
        Duration day = Duration.ofDays(1);
        ElectionConfig longest = three().supportDuration(day)
                .heartbeat(Duration.ofHours(4))
                .delta(day)
                .connectionTimeout(day)
                .drainTimeout(day)
                .build();
        assertThat(longest.connectionTimeout()).isEqualTo(day);
        Duration least = Duration.ofNanos(1);
        assertThat(three().heartbeat(least).delta(least).build().delta()).isEqualTo(least);
        for (Duration wrong : List.of(Duration.ZERO, day.plusNanos(1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(three().heartbeat(wrong)::build)
                    .withMessage("Bad configuration: heartbeat " + wrong + ": must be more than 0 and at most PT24H");
            assertThatIllegalArgumentException()
                    .isThrownBy(three().supportDuration(wrong)::build)
                    .withMessage(
                            "Bad configuration: supportDuration " + wrong + ": must be more than 0 and at most PT24H");
        }
    }

    // Rounded to milliseconds, and not further than that.
    @Test
    void theCuresAreTheNearestThatHelp() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        three().driftPercent(0).heartbeat(Duration.ofMillis(2)).supportDuration(Duration.ofMillis(4))
                                ::build)
                .withMessageEndingWith("set heartbeat to at most PT0.001S, or supportDuration to at least PT0.008S");
        assertThatIllegalArgumentException()
                .isThrownBy(three().driftPercent(0)
                        .heartbeat(Duration.ofNanos(1_000_001))
                        .supportDuration(Duration.ofNanos(3_999_900))::build)
                .withMessageEndingWith(
                        "set heartbeat to at most PT0.000999975S, or supportDuration to at least PT0.005S");
    }

    // In the words of whoever has set only one of the two.
    @Test
    void errorOfUnfitTimesNamesTheCure() {
        String message = "supportDuration PT0.4S with heartbeat PT0.2S and driftPercent 10: set heartbeat to at most "
                + "PT0.081S, or supportDuration to at least PT0.978S";
        assertThatIllegalArgumentException()
                .isThrownBy(three().supportDuration(Duration.ofMillis(400))::build)
                .withMessage("Bad configuration: " + message);
        three().supportDuration(Duration.ofMillis(978)).build();
        three().supportDuration(Duration.ofMillis(400))
                .heartbeat(Duration.ofMillis(81))
                .build();
        assertThatIllegalArgumentException()
                .isThrownBy(three().supportDuration(Duration.ofMillis(400)).heartbeat(Duration.ofMillis(82))::build);
        assertThatIllegalArgumentException().isThrownBy(three().supportDuration(Duration.ofMillis(977))::build);
    }

    @Test
    void theCuresAreCuresWhateverTheTimes() {
        Random random = new Random(7);
        for (int round = 0; round < 1_000; round++) {
            ElectionConfig.Builder times = three().driftPercent(random.nextInt(50))
                    .heartbeat(Duration.ofNanos(1 + random.nextInt(2_000_000_000)))
                    .supportDuration(Duration.ofNanos(1 + random.nextInt(2_000_000_000)));
            try {
                times.build();
            } catch (IllegalArgumentException e) {
                Matcher cures = Pattern.compile("at most (PT\\S+), or supportDuration to at least (PT\\S+)$")
                        .matcher(e.getMessage());
                assertThat(cures.find()).as(e.getMessage()).isTrue();
                Duration most = Duration.parse(cures.group(1));
                if (!most.isZero()) {
                    Duration former = times.chosen.get(SettingRows.HEARTBEAT);
                    times.heartbeat(most).build();
                    times.heartbeat(former);
                }
                times.supportDuration(Duration.parse(cures.group(2))).build();
            }
        }
    }

    @Test
    void thePolicyIsTheCallers() {
        ConnectionStateErrorPolicy policy = state -> false;
        assertThat(three().connectionStateErrorPolicy(policy).build().connectionStateErrorPolicy())
                .isSameAs(policy);
    }

    @Test
    void aProfileIsOverriddenInWhicheverOrder() {
        Duration own = Duration.ofMillis(200);
        assertThat(three().heartbeat(own).profile(Profile.CALM).build().heartbeat())
                .isEqualTo(own);
        assertThat(three().profile(Profile.CALM).heartbeat(own).build().heartbeat())
                .isEqualTo(own);
    }

    @Test
    void allFaultsAreReportedAtOnceWithValueAndRule() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> three().nodeId("n9")
                        .clusterId("a b")
                        .voters("n1", "n8")
                        .heartbeat(Duration.ofMillis(300))
                        .delta(Duration.ZERO)
                        .namespace("a//b")
                        .migration("shadow")
                        .preempt(true)
                        .algorithm(" ")
                        .transport(" ")
                        .connectionTimeout(Duration.ofDays(2))
                        .drainTimeout(Duration.ofSeconds(-1))
                        .build())
                .withMessageStartingWith("Bad configuration: ")
                .withMessageContaining("nodeId 'n9': must be one of the peers [n1, n2, n3]")
                .withMessageContaining("clusterId 'a b': must be 1 to 64 letters, digits, '.', '_' and '-'")
                .withMessageContaining("voter 'n8': must be one of the peers [n1, n2, n3]")
                .withMessageContaining("heartbeat PT0.3S and driftPercent 10: set heartbeat to at most PT0.204S, or "
                        + "supportDuration to at least PT1.467S")
                .withMessageContaining("delta PT0S: must be more than 0 and at most PT24H")
                .withMessageContaining("connectionTimeout PT48H: must be more than 0 and at most PT24H")
                .withMessageContaining("drainTimeout PT-1S: must be 0 or more, and at most PT24H")
                .withMessageContaining("migration 'shadow': must be tandem, or left out")
                .withMessageContaining("namespace 'a//b': Invalid path string")
                .withMessageContaining("preempt true: not with JOIN_ORDER")
                .withMessageContaining("algorithm ' ': must be a name")
                .withMessageContaining("transport ' ': must be a name");
    }

    @Test
    void errorNamesMissingSettings() {
        assertThatIllegalArgumentException()
                .isThrownBy(ElectionConfig.builder()::build)
                .withMessageContaining("nodeId '': is required")
                .withMessageContaining("peers: must be given, this node included, unless transport(Transport) is");
    }

    @ParameterizedTest
    @CsvSource({"-1", "50"})
    void driftMustBeBelowOneHalf(int percent) {
        assertThat(three().driftPercent(49)
                        .heartbeat(Duration.ofMillis(50))
                        .build()
                        .driftPercent())
                .isEqualTo(49);
        assertThatIllegalArgumentException()
                .isThrownBy(three().driftPercent(percent)::build)
                .withMessage("Bad configuration: driftPercent " + percent + ": must be from 0 to 49");
    }

    @Test
    void aVoterIsGivenOnceAndVotersAreFew() {
        assertThatIllegalArgumentException()
                .isThrownBy(three().voters("n1", "n1")::build)
                .withMessageContaining("voter 'n1': is given twice");
        ElectionConfig.Builder many = ElectionConfig.builder().nodeId("n1");
        for (int number = 1; number <= 15; number++) {
            many.peer("n" + number, "h", number);
        }
        assertThat(many.build().voters()).hasSize(15);
        many.peer("n16", "h", 16);
        assertThatIllegalArgumentException().isThrownBy(many::build).withMessageContaining("must be at most 15");
    }

    @Test
    void aTransportOfTheCallersNeedsNoAddressesButVoters() {
        Transport transport = new NoTransport();
        ElectionConfig.Builder builder = ElectionConfig.builder().nodeId("n1").transport(transport);
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessage("Bad configuration: voters: must be given if no peers are");
        assertThat(builder.voters("n1", "n2", "n3").build().transport()).contains(transport);
        assertThat(builder.voters("n2", "n3").build().voters())
                .as("the last call counts")
                .containsExactly("n2", "n3");
        assertThatIllegalArgumentException()
                .isThrownBy(builder.voters("n1", "n 2")::build)
                .withMessage("Bad configuration: voter 'n 2': must be 1 to 64 letters, digits, '.', '_' and '-'");
    }

    @Test
    void legalButWeakSettingsAreHintedAt() {
        assertThat(three().dataDirectory(Path.of("d")).build().hints()).isEmpty();
        assertThat(three().joins(true).build().hints()).isEmpty();
        assertThat(three().voters("n1").build().hints())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("1 voter:");
        assertThat(three().voters("n1", "n2").build().hints())
                .first()
                .asString()
                .startsWith("2 voters:");
        assertThat(three().peer("n4", "h4", 1).build().hints())
                .first()
                .asString()
                .startsWith("4 voters: survive the loss of no more than 3 do");
        assertThat(three().build().hints()).singleElement().asString().startsWith("no dataDirectory:");
        assertThat(three().voters("n2", "n3").nodeId("n1").build().hints()).hasSize(1);
    }

    @Test
    void nullsAreRefusedAtOnce() {
        assertThatNullPointerException().isThrownBy(() -> three().nodeId(null)).withMessage("nodeId");
        assertThatNullPointerException()
                .isThrownBy(() -> three().namespace(null))
                .withMessage("namespace");
        assertThatNullPointerException()
                .isThrownBy(() -> three().heartbeat(null))
                .withMessage("heartbeat");
        assertThatNullPointerException()
                .isThrownBy(() -> three().supportDuration(null))
                .withMessage("supportDuration");
        assertThatNullPointerException().isThrownBy(() -> three().delta(null)).withMessage("delta");
        assertThatNullPointerException()
                .isThrownBy(() -> three().dataDirectory(null))
                .withMessage("dataDirectory");
        assertThatNullPointerException()
                .isThrownBy(() -> three().transport((Transport) null))
                .withMessage("transport");
        assertThatNullPointerException()
                .isThrownBy(() -> three().voters("n1", null))
                .withMessage("voters");
        assertThatNullPointerException()
                .isThrownBy(() -> three().voters((List<String>) null))
                .withMessage("voters");
        assertThatNullPointerException()
                .isThrownBy(() -> three().peers((Map<String, String>) null))
                .withMessage("peers");
        assertThatNullPointerException()
                .isThrownBy(() -> three().peer("n1", null, 1))
                .withMessage("host");
        assertThatNullPointerException()
                .isThrownBy(() -> three().peer(null, "h", 1))
                .withMessage("id");
    }

    // A builder that lost its secret or its keys by a refused call would make a node that trusts anyone.
    @Test
    void refusedNullsLeaveTheFormerChoice() {
        ElectionConfig.Builder secret = three().secret(new byte[16]);
        assertThatNullPointerException().isThrownBy(() -> secret.secretFile(null));
        assertThat(secret.build().hasSecret()).isTrue();
        Properties keys = new Properties();
        keys.setProperty("quorate.tls.key-store", "no-such-store");
        ElectionConfig.Builder tls = three().from(keys);
        assertThatNullPointerException().isThrownBy(() -> tls.tls(null));
        assertThatIllegalArgumentException()
                .isThrownBy(tls::build)
                .withMessageContaining("needs quorate.tls.password-file too");
        ElectionConfig.Builder transport = three().transport("tcp");
        assertThatNullPointerException().isThrownBy(() -> transport.transport((Transport) null));
        assertThat(transport.build().transportName()).isEqualTo("tcp");
    }

    @Test
    void anUnknownAlgorithmFailsInBuild() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        ElectionClient.builder().nodeId("n1").peers("n1=h:1").algorithm("nonesuch")::build)
                .withMessageStartingWith("algorithm 'nonesuch': is not on the class path; found ");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> ElectionClient.create(three().algorithm("none").build()));
    }

    @Test
    void theAddressToListenAtIsApartFromThatOfThePeers() {
        assertThat(three().build().listen()).isEmpty();
        assertThat(three().listen("0.0.0.0:7400").build().listen()).contains(new HostAndPort("0.0.0.0", 7400));
        assertThat(three().listen(" [::]:7400 ").build().listen()).contains(new HostAndPort("::", 7400));
    }

    // Nobody but its maker can tell a transport that is made already.
    @Test
    void anOwnTransportHasItsOwnAddress() {
        assertThatIllegalArgumentException()
                .isThrownBy(three().transport(new NoTransport()).listen("0.0.0.0:1")::build)
                .withMessageContaining(
                        "listen 0.0.0.0:1: not with transport(Transport): give the address to the transport");
    }

    private static final class NoTransport implements Transport {
        @Override
        public void start(Receiver receiver) {}

        @Override
        public void send(NodeId to, byte[] frame) {}

        @Override
        public void close() {}
    }
}
