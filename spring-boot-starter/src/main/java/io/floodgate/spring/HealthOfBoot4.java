package io.floodgate.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the worker, with Spring Boot 4. */
@AutoConfiguration(after = FloodgateAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
public class HealthOfBoot4 {
    @Bean
    HealthIndicator floodgateHealthIndicator(FloodgateWorker worker) {
        return () -> {
            Health.Builder health = worker.isWell() ? Health.up() : Health.outOfService();
            worker.worker()
                    .ifPresent(running -> health.withDetail("worker", running.id())
                            .withDetail("state", running.state().name()));
            return health.build();
        };
    }
}
