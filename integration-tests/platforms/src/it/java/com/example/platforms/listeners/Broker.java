package com.example.platforms.listeners;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.example.platforms.application.Console;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A broker in a separate process. A line {@code send 0 10} sends it the ids from 0 to 9. */
public final class Broker {

    private static final int PARTITIONS = 4;

    private Broker() {}

    /** Sends the ids from the first one to the one before the last. */
    private interface Sender {
        void send(int first, int last) throws Exception;
    }

    /** @param arguments kafka or artemis, and the port of Artemis */
    public static void main(String[] arguments) throws Exception {
        // Kafka's server writes thousands of lines otherwise.
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        Sender sender;
        if (arguments[0].equals("kafka")) {
            EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, PARTITIONS, "orders");
            broker.afterPropertiesSet();
            sender = (first, last) -> sendToKafka(broker.getBrokersAsString(), first, last);
            Console.say("listens " + broker.getBrokersAsString());
        } else {
            String address = "tcp://127.0.0.1:" + arguments[1];
            EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
            broker.setConfiguration(new ConfigurationImpl()
                    .setPersistenceEnabled(false)
                    .setSecurityEnabled(false)
                    .addAcceptorConfiguration("tcp", address));
            broker.start();
            sender = (first, last) -> sendToArtemis(address, first, last);
            Console.say("listens " + address);
        }
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            String[] words = command.split(" ");
            if (words[0].equals("send")) {
                sender.send(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            } else {
                break;
            }
        }
        // Its threads end with it, and what it has stored is in folders of the test.
        Runtime.getRuntime().halt(0);
    }

    private static void sendToKafka(String brokers, int first, int last)
            throws ExecutionException, InterruptedException {
        Map<String, Object> settings = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            List<? extends Future<?>> sent = IntStream.range(first, last)
                    .mapToObj(id -> producer.send(new ProducerRecord<>("orders", id % PARTITIONS, null, "" + id)))
                    .toList();
            for (Future<?> each : sent) {
                each.get();
            }
        }
    }

    private static void sendToArtemis(String address, int first, int last) throws JMSException {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(address);
                Connection connection = factory.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue("orders"));
            for (int id = first; id < last; id++) {
                producer.send(session.createTextMessage("" + id));
            }
            session.commit();
        }
    }
}
