package example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import example.shop.Shipping.Order;
import io.floodgate.client.Job;
import io.floodgate.client.Producer;
import io.floodgate.spring.FloodgateWorker;
import io.floodgate.spring.test.FloodgateTest;
import io.floodgate.testing.TestFloodgate;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import tools.jackson.databind.JsonNode;

@SpringBootTest
@FloodgateTest
class ShopTest {
    @Autowired
    Shipping shipping;

    @Autowired
    Producer producer;

    @Autowired
    TestFloodgate floodgate;

    @Autowired
    FloodgateWorker worker;

    @Autowired
    ApplicationContext context;

    @Test
    void an_order_is_shipped() throws Exception {
        JsonNode job = floodgate.awaitCompleted(shipping.order(new Order("o-1", 2)));

        assertThat(job.at("/result/parcel").asString()).isEqualTo("parcel-o-1");
    }

    @Test
    void an_order_that_cannot_be_shipped_is_tried_again_and_then_a_dead_letter() throws Exception {
        String id = producer.enqueue(Job.of("order.ship", new Order("o-2", 0))
                        .queue("shipping")
                        .with("retry", java.util.Map.of("max_attempts", 2, "initial_interval", "PT0.01S")))
                .id();

        JsonNode job = floodgate.awaitDiscarded(id);
        assertThat(job.at("/attempt").intValue()).isEqualTo(2);
        assertThat(job.at("/error/message").asString()).isEqualTo("there is nothing in order o-2");
    }

    @Test
    void the_health_names_the_worker() {
        assertThat(worker.worker()).isPresent();
        assertThat(context.containsBean("floodgateHealthIndicator")).isTrue();
    }
}
