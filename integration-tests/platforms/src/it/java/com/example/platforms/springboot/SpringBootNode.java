package com.example.platforms.springboot;

import com.example.platforms.application.Console;
import com.example.platforms.application.Contender;
import java.io.IOException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** The contender is a bean of the context, which starts and closes it. */
@SpringBootApplication(proxyBeanMethods = false)
public class SpringBootNode {

    @Bean(initMethod = "start", destroyMethod = "close")
    Contender contender() {
        return new Contender();
    }

    /** Runs until it is told to close; on SIGTERM Spring closes the context. */
    public static void main(String[] arguments) throws IOException {
        Console.say("uses " + Console.jarOf(SpringApplication.class));
        try (ConfigurableApplicationContext context = SpringApplication.run(SpringBootNode.class, arguments)) {
            Console.awaitClose();
        }
    }
}
