package com.example.platforms.listeners;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.example.platforms.application.Console;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
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

/** A broker in a separate process. It takes the ids, from 0 to the second argument, before it says where it listens. */
public final class Broker {

    private static final int PARTITIONS = 4;

    private Broker() {}

    /** @param arguments kafka or artemis, the number of messages, and the port of Artemis */
    public static void main(String[] arguments) throws Exception {
        // Kafka's server writes thousands of lines otherwise.
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        int messages = Integer.parseInt(arguments[1]);
        if (arguments[0].equals("kafka")) {
            EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, PARTITIONS, "orders");
            broker.afterPropertiesSet();
            sendToKafka(broker.getBrokersAsString(), messages);
            Console.say("listens " + broker.getBrokersAsString());
        } else {
            String address = "tcp://127.0.0.1:" + arguments[2];
            EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
            broker.setConfiguration(new ConfigurationImpl()
                    .setPersistenceEnabled(false)
                    .setSecurityEnabled(false)
                    .addAcceptorConfiguration("tcp", address));
            broker.start();
            sendToArtemis(address, messages);
            Console.say("listens " + address);
        }
        Console.awaitClose();
        // Its threads end with it, and what it has stored is in folders of the test.
        Runtime.getRuntime().halt(0);
    }

    private static void sendToKafka(String brokers, int messages) throws ExecutionException, InterruptedException {
        Map<String, Object> settings = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            List<? extends Future<?>> sent = IntStream.range(0, messages)
                    .mapToObj(id -> producer.send(new ProducerRecord<>("orders", id % PARTITIONS, null, "" + id)))
                    .toList();
            for (Future<?> each : sent) {
                each.get();
            }
        }
    }

    private static void sendToArtemis(String address, int messages) throws JMSException {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(address);
                Connection connection = factory.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue("orders"));
            for (int id = 0; id < messages; id++) {
                producer.send(session.createTextMessage("" + id));
            }
            session.commit();
        }
    }
}
