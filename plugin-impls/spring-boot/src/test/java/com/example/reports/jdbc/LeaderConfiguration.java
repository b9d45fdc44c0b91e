package com.example.reports.jdbc;

import com.example.reports.Reports;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.jdbc.lock.LockRepository;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/** Who leads. */
@Configuration(proxyBeanMethods = false)
public class LeaderConfiguration {

    @Bean
    LockRepository lockRepository(DataSource dataSource) {
        return new DefaultLockRepository(dataSource);
    }

    @Bean
    LockRegistry lockRegistry(LockRepository lockRepository) {
        return new JdbcLockRegistry(lockRepository);
    }

    @Bean
    LockRegistryLeaderInitiator leaderInitiator(LockRegistry lockRegistry, Reports reports) {
        return new LockRegistryLeaderInitiator(lockRegistry, reports);
    }
}
