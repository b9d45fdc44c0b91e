package io.quorate.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.TransportProvider.HostAndPort;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import org.junit.jupiter.api.Test;

/** What the event bus is told about encryption; that it does as it is told is shown by VertxTransportTlsTest. */
class EmbeddedOptionsTest {

    private static EventBusOptions eventBus(EmbeddedOptions options) {
        return options.toVertxOptions(new HostAndPort("localhost", 1)).getEventBusOptions();
    }

    @Test
    void bothSidesOfMutualTlsMustShowACertificate() {
        PemKeyCertOptions key = new PemKeyCertOptions().setCertPath("node.crt").setKeyPath("node.key");
        PemTrustOptions trust = new PemTrustOptions().addCertPath("members.crt");
        EventBusOptions options = eventBus(EmbeddedOptions.mutualTls(key, trust));
        assertThat(options.isSsl()).isTrue();
        assertThat(options.getClientAuth()).isEqualTo(ClientAuth.REQUIRED);
        assertThat(options.isTrustAll()).isFalse();
        assertThat(options.getKeyCertOptions())
                .isInstanceOf(PemKeyCertOptions.class)
                .isNotSameAs(key);
        assertThat(options.getTrustOptions())
                .isInstanceOf(PemTrustOptions.class)
                .isNotSameAs(trust);
    }

    @Test
    void plainIsNotEncrypted() {
        assertThat(eventBus(EmbeddedOptions.plain()).isSsl()).isFalse();
    }
}
