package com.example.reports.quorate;

import com.example.reports.Reports;
import io.quorate.ElectionClient;
import io.quorate.spring.QuorateLeaderInitiator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Who leads. */
@Configuration(proxyBeanMethods = false)
public class LeaderConfiguration {

    @Bean
    QuorateLeaderInitiator leaderInitiator(ElectionClient client, Reports reports) {
        return new QuorateLeaderInitiator(client, reports);
    }
}
