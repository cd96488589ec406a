package io.floodgate.spring;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The health of the worker, with the actuator of Spring Boot 3. */
@AutoConfiguration(after = FloodgateAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
public class HealthOfBoot3 {
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
