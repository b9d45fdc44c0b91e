package com.example.docs;

import io.quorate.ElectionClient;
import io.quorate.leaderonly.LeaderOnly;
import io.quorate.ops.OpsServer;
import io.quorate.spring.ElectionClientBuilderCustomizer;
import io.quorate.spring.LeaderLatches;
import io.quorate.spring.LeaderLifecycle;
import io.quorate.testkit.SimulatedCluster;
import java.nio.file.Path;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** The blocks of docs/spring.md, so that they compile. */
final class Examples {

    private Examples() {}

    interface SecretStore {
        byte[] read(String name);
    }

    interface Storage {
        void write(long token, String data);
    }

    @SpringBootApplication
    @EnableScheduling
    public class App {

        public static void main(String[] arguments) {
            SpringApplication.run(App.class, arguments);
        }

        @Component
        static class Reports {

            @Scheduled(fixedDelay = 1_000)
            @LeaderOnly("/app/reports")
            void send() {
                System.out.println("sends the reports");
            }
        }
    }

    static class Secrets {
        @Bean
        ElectionClientBuilderCustomizer secret(SecretStore store) {
            return builder -> builder.secret(store.read("quorate"));
        }
    }

    @Component
    class Invoices {

        private final LeaderLatches latches;
        private final Storage storage;

        Invoices(LeaderLatches latches, Storage storage) {
            this.latches = latches;
            this.storage = storage;
        }

        @Scheduled(fixedDelay = 60_000)
        @LeaderOnly("/app/invoices")
        void send() {
            long token = latches.latch("/app/invoices").fencingToken();
            storage.write(token, "invoices");
        }
    }

    static class Operators {
        @Bean
        OpsServer operators(ElectionClient client) {
            return OpsServer.builder(client)
                    .port(8081)
                    .tokenFile(Path.of("/etc/app/ops-token"))
                    .start();
        }
    }

    static class OfTheKit {
        @Bean
        ElectionClient client(SimulatedCluster cluster) {
            return cluster.client("n1");
        }
    }

    @Configuration
    class Orders {

        @KafkaListener(id = "orders", topics = "orders", groupId = "orders", autoStartup = "false")
        void receive(String order) {
            System.out.println("order " + order);
        }

        @Bean
        LeaderLifecycle leadsOrders(LeaderLatches latches, KafkaListenerEndpointRegistry registry) {
            return new LeaderLifecycle(latches, "/app/orders", () -> registry.getListenerContainer("orders"));
        }
    }
}
