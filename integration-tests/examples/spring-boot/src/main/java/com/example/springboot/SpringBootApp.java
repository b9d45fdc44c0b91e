package com.example.springboot;

import io.quorate.LeaderLatch;
import io.quorate.Leadership;
import io.quorate.leaderonly.LeaderOnly;
import io.quorate.spring.LeaderLatches;
import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** A scheduled job that runs on one of the processes. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableScheduling
public class SpringBootApp {

    private static final String PATH = "/examples/spring-boot";

    /** The job. */
    static class Reports {

        private final LeaderLatch latch;

        Reports(LeaderLatches latches) {
            latch = latches.latch(PATH);
        }

        @Scheduled(fixedDelay = 200)
        @LeaderOnly(PATH)
        void write() {
            Optional<Leadership> leadership = latch.leadership();
            leadership.ifPresent(each -> System.out.println("writes a report with token " + each.fencingToken()));
        }
    }

    @Bean
    Reports reports(LeaderLatches latches) {
        return new Reports(latches);
    }

    /** The environment has its node id, its peers and its data directory. */
    public static void main(String[] arguments) {
        SpringApplication.run(SpringBootApp.class, arguments);
    }
}
