package io.quorate.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.Deadline;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ResolverTest {

    @Test
    void addressesAreTakenAsTheyAre() {
        assertThat(Resolver.isLiteral("127.0.0.1")).isTrue();
        assertThat(Resolver.isLiteral("::1")).isTrue();
        assertThat(Resolver.isLiteral("n1")).isFalse();
        assertThat(Resolver.isLiteral("1.2.3")).isFalse();
        assertThat(Resolver.isLiteral("10.0.0.1.example")).isFalse();
        assertThat(Resolver.isLiteral("255.249.199.0")).isTrue();
        assertThat(Resolver.isLiteral("fe80::1%lo")).isTrue();
    }

    // The JDK asks a name server for these, and the thread of all connections must not wait for one.
    @Test
    void namesThatResembleAddressesAreLookedUp() {
        assertThat(Resolver.isLiteral("256.0.0.1")).isFalse();
        assertThat(Resolver.isLiteral("999.999.999.999")).isFalse();
        assertThat(Resolver.isLiteral("n1:2")).isFalse();
    }

    // The same name to DNS, and another one to the cache of the JDK.
    @Test
    void attemptsSpellANameInDifferentWays() {
        Set<String> spellings = new HashSet<>();
        for (int attempt = 0; attempt < 100; attempt++) {
            String spelling = Resolver.spelling("node-1.Example", attempt);
            assertThat(spelling).isEqualToIgnoringCase("node-1.Example");
            if (attempt % 2 == 0) {
                assertThat(spelling).isEqualTo("node-1.Example");
            } else {
                assertThat(spellings.add(spelling)).as(spelling).isTrue();
            }
        }
    }

    /** What the node is told; the other thread may have to be waited for. */
    private static InetAddress[] found(Resolver resolver) throws Exception {
        CompletableFuture<InetAddress[]> found = new CompletableFuture<>();
        resolver.resolve("n1.example", 0, found::complete);
        return Deadline.get(found);
    }

    // Without an answer the peer would never be dialled again. An application may put a resolver of its own into the
    // JDK, and a class path may be broken.
    @Test
    void aLookUpThatThrowsAnErrorIsAnswered() throws Exception {
        Resolver resolver = new Resolver("test-names", host -> {
            throw new NoClassDefFoundError("meant to be thrown, by the test");
        });
        try {
            assertThat(found(resolver)).isEmpty();
        } finally {
            resolver.close();
        }
    }

    // As where the system has no thread left.
    @Test
    void aLookUpThatCannotBeginIsAnswered() throws Exception {
        Resolver resolver = new Resolver("test-names");
        resolver.close();
        assertThat(found(resolver)).isEmpty();
    }
}
