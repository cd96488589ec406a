package io.floodgate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.client.Job;
import io.floodgate.client.Producer;
import io.floodgate.spring.test.FloodgateTest;
import io.floodgate.testing.TestFloodgate;
import io.floodgate.worker.JobContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.junit.jupiter.SpringExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An application of Spring Boot, with a server. */
@ExtendWith(SpringExtension.class)
@SpringBootTest(
        classes = SpringApplicationTest.Application.class,
        properties = {"spring.application.name=shop", "spring.main.web-application-type=none"})
@FloodgateTest
final class SpringApplicationTest {
    record Order(String id, int items) {}

    static final class Shop {
        @OjsHandler(value = "order.ship", queue = "shipping")
        Map<String, Object> ship(Order order, JobContext context, List<String> notes) {
            return Map.of("order", order.id(), "items", order.items(), "notes", notes.size(), "by", context.worker());
        }

        @OjsHandler(value = "stock.count", queue = "nightly")
        @OjsSchedule(value = "0 3 * * *", timezone = "Europe/Berlin", args = "[\"all\"]")
        String count(String what) {
            return "counted " + what;
        }
    }

    @Configuration
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Shop shop() {
            return new Shop();
        }

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    @Autowired
    TestFloodgate floodgate;

    @Autowired
    Producer producer;

    @Autowired
    FloodgateWorker worker;

    @Autowired
    MeterRegistry meters;

    @Autowired
    FloodgateProperties properties;

    @Autowired
    HealthIndicator floodgateHealthIndicator;

    private String enqueue(Object... args) throws Exception {
        return producer.enqueue(Job.of("order.ship", args).queue("shipping")).id();
    }

    @Test
    void a_method_gets_the_arguments_of_its_jobs_and_returns_their_result() throws Exception {
        JsonNode job = floodgate.awaitCompleted(enqueue(new Order("o-1", 3), List.of("fragile")));

        assertThat(job.at("/result").toString()).contains("\"order\":\"o-1\"", "\"items\":3", "\"notes\":1");
        assertThat(job.at("/result/by").asString())
                .isEqualTo(worker.worker().orElseThrow().id());
        assertThat(meters.find("ojs.worker.permits").meters())
                .as("meters of the worker")
                .isNotEmpty();
    }

    @Test
    void its_health_is_that_of_the_worker() {
        Health health = floodgateHealthIndicator.health();
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails()).containsEntry("state", "RUNNING");
    }

    @Test
    void arguments_that_it_cannot_take_fail_the_job_for_good() throws Exception {
        for (Object[] wrong :
                List.of(new Object[] {"no order", List.of()}, new Object[] {new Order("o-2", 1)}, new Object[] {
                    new Order("o-3", 1), List.of(), "more"
                })) {
            JsonNode job = floodgate.awaitDiscarded(enqueue(wrong));
            assertThat(job.at("/error/type").asString()).isEqualTo("invalid_arguments");
            assertThat(job.at("/attempt").intValue()).isEqualTo(1);
        }
    }

    private JsonNode schedules() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI address = floodgate.http().resolve("/ojs/v1/cron?managed_by=shop");
            String body = client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                    .body();
            return JsonMapper.shared().readTree(body).path("crons");
        }
    }

    @Test
    void schedules_are_registered_and_removed_when_they_leave_the_code() throws Exception {
        assertThat(schedules()).hasSize(1);
        assertThat(schedules().at("/0/name").asString()).isEqualTo("stock.count");
        assertThat(schedules().at("/0/timezone").asString()).isEqualTo("Europe/Berlin");

        try (ConfigurableApplicationContext next = new SpringApplicationBuilder(WithoutSchedules.class)
                .properties(Map.of(
                        "spring.application.name", "shop",
                        "spring.main.web-application-type", "none",
                        "floodgate.url", String.valueOf(properties.url()),
                        "floodgate.bootstrap-servers", String.valueOf(properties.bootstrapServers()),
                        "floodgate.schedules.register", "true"))
                .run()) {
            assertThat(next.getBean(FloodgateWorker.class).worker())
                    .as("no handler")
                    .isEmpty();
            assertThat(schedules()).isEmpty();
        }
    }

    @Configuration
    @EnableAutoConfiguration
    static class WithoutSchedules {}
}
