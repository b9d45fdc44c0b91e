package com.example.platforms.listeners;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.example.platforms.application.Console;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
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

/** A broker in a separate process, or a connection to one. A line {@code send 0 10} sends it the ids from 0 to 9. */
public final class Broker {

    private static final int PARTITIONS = 4;

    private Broker() {}

    /** Sends the ids from the first one to the one before the last. */
    private interface Sender {
        void send(int first, int last) throws Exception;
    }

    /** @param arguments kafka, artemis or rabbit; the port of Artemis; the address of the RabbitMQ that runs */
    public static void main(String[] arguments) throws Exception {
        // Kafka's server writes thousands of lines otherwise.
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        Sender sender;
        if (arguments[0].equals("kafka")) {
            EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, PARTITIONS, "orders");
            broker.afterPropertiesSet();
            sender = (first, last) -> sendToKafka(broker.getBrokersAsString(), first, last);
            Console.say("listens " + broker.getBrokersAsString());
        } else if (arguments[0].equals("rabbit")) {
            sender = (first, last) -> sendToRabbit(arguments[2], first, last);
            emptyRabbit(arguments[2]);
            Console.say("listens " + arguments[2]);
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

    private static com.rabbitmq.client.Connection rabbit(String address) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri("amqp://" + address);
        return factory.newConnection();
    }

    private static void emptyRabbit(String address) throws Exception {
        try (com.rabbitmq.client.Connection connection = rabbit(address);
                Channel channel = connection.createChannel()) {
            channel.queueDelete("orders");
            channel.queueDeclare("orders", true, false, false, Map.of());
        }
    }

    private static void sendToRabbit(String address, int first, int last) throws Exception {
        try (com.rabbitmq.client.Connection connection = rabbit(address);
                Channel channel = connection.createChannel()) {
            channel.confirmSelect();
            for (int id = first; id < last; id++) {
                byte[] text = ("" + id).getBytes(StandardCharsets.UTF_8);
                channel.basicPublish("", "orders", MessageProperties.PERSISTENT_TEXT_PLAIN, text);
            }
            channel.waitForConfirmsOrDie();
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
