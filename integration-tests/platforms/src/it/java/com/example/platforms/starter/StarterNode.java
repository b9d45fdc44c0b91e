package com.example.platforms.starter;

import com.example.platforms.application.Console;
import io.quorate.ElectionClient;
import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatch;
import io.quorate.leaderonly.LeaderOnly;
import io.quorate.spring.FencedContext;
import io.quorate.spring.LeaderChangedEvent;
import io.quorate.spring.LeaderLatches;
import io.quorate.spring.QuorateLeaderInitiator;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application whose one dependency is the starter: it has a scheduled method, a page, and a role of Spring
 * Integration. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableScheduling
public class StarterNode {

    private static final String PATH = "/app/leader";

    /** The answer to a request that takes its time waits for this. */
    private static final CountDownLatch RELEASED = new CountDownLatch(1);

    /** Works where it leads. */
    static class Work {

        private final LeaderLatch latch;

        Work(LeaderLatches latches) {
            latch = latches.latch(PATH);
            latch.addListener((FencedLeaderLatchListener) token -> Console.say("leads " + token));
        }

        /** The clock is that of the machine: whoever reads the lines of all processes sees whether two worked at once. */
        @Scheduled(fixedDelay = 10)
        @LeaderOnly(PATH)
        void work() throws InterruptedException {
            long begin = System.nanoTime();
            long token = latch.leadership()
                    .map(leadership -> leadership.fencingToken())
                    .orElse(0L);
            if (token > 0) {
                Thread.sleep(20);
                Console.say("worked " + token + " " + begin + " " + System.nanoTime());
            }
        }
    }

    @Bean
    Work work(LeaderLatches latches) {
        return new Work(latches);
    }

    /** Serves requests in each process. */
    @RestController
    static class Page {
        @GetMapping("/slow")
        String slow() throws InterruptedException {
            Console.say("serves");
            RELEASED.await();
            return "served";
        }
    }

    @Bean
    QuorateLeaderInitiator leaderInitiator(ElectionClient client) {
        return new QuorateLeaderInitiator(client, new DefaultCandidate(client.nodeId(), "role"));
    }

    /** Hears of the leadership of Spring Integration, here and elsewhere. */
    static class Listener {
        @EventListener
        void onGranted(OnGrantedEvent event) {
            Console.say("granted " + ((FencedContext) event.getContext()).fencingToken());
        }

        @EventListener
        void onChange(LeaderChangedEvent event) {
            event.getLeader().ifPresent(leader -> Console.say("hears of " + leader));
        }
    }

    @Bean
    Listener listener() {
        return new Listener();
    }

    /** Says where its page is. */
    static class Port {

        private final Environment environment;

        Port(Environment environment) {
            this.environment = environment;
        }

        @EventListener(ApplicationReadyEvent.class)
        void say() {
            Console.say("listens " + environment.getProperty("local.server.port"));
        }
    }

    @Bean
    Port port(Environment environment) {
        return new Port(environment);
    }

    /** Runs until SIGTERM, or until it is told to close; that word lets slow requests be answered. */
    public static void main(String[] arguments) throws IOException {
        Console.say("uses " + Console.jarOf(SpringApplication.class));
        try (ConfigurableApplicationContext context = SpringApplication.run(StarterNode.class, arguments)) {
            Console.awaitClose();
            RELEASED.countDown();
        }
    }
}
