package io.quorate.adapters;

import io.quorate.ElectionClient;
import io.quorate.leaderonly.LeaderOnly;
import io.quorate.spring.QuorateAutoConfiguration;
import io.quorate.spring.QuorateLeaderInitiator;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Contexts of Spring with the starter's configuration. They start and close the client that is a bean of them. */
final class SpringApplications {

    private SpringApplications() {}

    /** As the first example of docs/spring.md. */
    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    /** Its method runs where the path is led. */
    static class Reports {
        private final String node;
        private final Work work;

        Reports(String node, Work work) {
            this.node = node;
            this.work = work;
        }

        @Scheduled(fixedDelay = Adapter.PERIOD_MILLIS)
        @LeaderOnly("/app/reports")
        void send() {
            work.run(node);
        }
    }

    /** Works as long as it is granted leadership, and ends what it has begun. */
    private static final class Working extends DefaultCandidate {
        private final Work work;

        private Working(String node, Work work) {
            super(node, "reports");
            this.work = work;
        }

        @Override
        public void onGranted(Context context) {
            while (!Thread.currentThread().isInterrupted()) {
                work.run(getId());
            }
        }
    }

    static Application leaderOnly(ElectionClient client, Work work) {
        AnnotationConfigApplicationContext context = context(client);
        context.registerBean(Scheduling.class);
        context.registerBean(Reports.class, () -> new Reports(client.nodeId(), work));
        return refreshed(client, context);
    }

    static Application initiator(ElectionClient client, Work work) {
        AnnotationConfigApplicationContext context = context(client);
        context.registerBean(
                QuorateLeaderInitiator.class,
                () -> new QuorateLeaderInitiator(client, new Working(client.nodeId(), work)));
        return refreshed(client, context);
    }

    private static AnnotationConfigApplicationContext context(ElectionClient client) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean("electionClient", ElectionClient.class, () -> client);
        context.register(QuorateAutoConfiguration.class);
        return context;
    }

    private static Application refreshed(ElectionClient client, AnnotationConfigApplicationContext context) {
        context.refresh();
        return Adapter.ending(client, context::close);
    }
}
