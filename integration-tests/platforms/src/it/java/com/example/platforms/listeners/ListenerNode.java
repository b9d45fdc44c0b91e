package com.example.platforms.listeners;

import com.example.platforms.application.Console;
import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatch;
import io.quorate.spring.LeaderLatches;
import io.quorate.spring.LeaderLifecycle;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** An application whose leader alone takes messages, from Kafka, Artemis or RabbitMQ. */
@SpringBootApplication(proxyBeanMethods = false)
public class ListenerNode {

    private static final String PATH = "/app/leader";
    /** One message in 50 takes its time, so that a hand-over often meets it. */
    private static final int LONG_EACH = 50;

    private static final long LONG_MILLIS = 300;

    private static void process(String id) throws InterruptedException {
        // The clock is that of the machine, so a reader of all lines sees whether two processes worked at one time.
        Console.say("begin " + id + " " + System.nanoTime());
        Thread.sleep(Integer.parseInt(id) % LONG_EACH == 0 ? LONG_MILLIS : 1);
        Console.say("end " + id + " " + System.nanoTime());
    }

    /** As docs/spring.md has it. */
    @Configuration
    @Profile("kafka")
    static class FromKafka {

        @KafkaListener(id = "orders", topics = "orders", groupId = "orders", autoStartup = "false")
        void receive(String order) throws InterruptedException {
            process(order);
        }

        @Bean
        LeaderLifecycle leadsOrders(LeaderLatches latches, KafkaListenerEndpointRegistry registry) {
            return new LeaderLifecycle(latches, PATH, () -> registry.getListenerContainer("orders"));
        }
    }

    /** The annotation has no automatic start that could be switched off: spring.jms.listener.auto-startup=false. */
    @Configuration
    @Profile("artemis")
    static class FromArtemis {

        @JmsListener(id = "orders", destination = "orders")
        void receive(String order) throws InterruptedException {
            process(order);
        }

        @Bean
        LeaderLifecycle leadsOrders(LeaderLatches latches, JmsListenerEndpointRegistry registry) {
            return new LeaderLifecycle(latches, PATH, () -> registry.getListenerContainer("orders"));
        }
    }

    /** The container stops waiting for a message after its shutdown time-out, so that is the drain time-out. */
    @Configuration
    @Profile("rabbit")
    static class FromRabbit {

        @RabbitListener(id = "orders", queues = "orders", autoStartup = "false")
        void receive(String order) throws InterruptedException {
            process(order);
        }

        @Bean
        ContainerCustomizer<SimpleMessageListenerContainer> patience() {
            return container -> container.setShutdownTimeout(30_000);
        }

        @Bean
        LeaderLifecycle leadsOrders(LeaderLatches latches, RabbitListenerEndpointRegistry registry) {
            return new LeaderLifecycle(latches, PATH, () -> registry.getListenerContainer("orders"));
        }
    }

    /** Runs until it is told to close, and hands over when it is told to whom. */
    public static void main(String[] arguments) throws IOException {
        Console.say("uses " + Console.jarOf(SpringApplication.class));
        try (ConfigurableApplicationContext context = SpringApplication.run(ListenerNode.class, arguments)) {
            LeaderLatch latch = context.getBean(LeaderLatches.class).latch(PATH);
            latch.addListener((FencedLeaderLatchListener) token -> Console.say("leads " + token));
            latch.leadership().ifPresent(present -> Console.say("leads " + present.fencingToken()));
            Console.say("is up");
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            String command = commands.readLine();
            while (command != null && !command.equals("close")) {
                String target = command.substring("transfer ".length());
                latch.transferTo(target).whenComplete((done, fault) -> {
                    if (fault != null) {
                        Console.say("refuses " + fault);
                    }
                });
                command = commands.readLine();
            }
        }
    }
}
