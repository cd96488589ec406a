package example.shop;

import io.floodgate.client.Job;
import io.floodgate.client.Producer;
import io.floodgate.spring.OjsHandler;
import io.floodgate.spring.OjsSchedule;
import io.floodgate.worker.JobContext;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Service;

@Service
public class Shipping {
    public record Order(String id, int items) {}

    public record Receipt(String order, String parcel, int attempt) {}

    private final Producer producer;
    private final AtomicInteger counted = new AtomicInteger();

    public Shipping(Producer producer) {
        this.producer = producer;
    }

    /** Asks for a parcel; the carrier is called by a worker. */
    public String order(Order order) throws InterruptedException {
        return producer.enqueue(Job.of("order.ship", order).queue("shipping")).id();
    }

    @OjsHandler(value = "order.ship", queue = "shipping")
    Receipt ship(Order order, JobContext context) {
        if (order.items() == 0) throw new IllegalArgumentException("there is nothing in order " + order.id());
        return new Receipt(order.id(), "parcel-" + order.id(), context.job().attempt());
    }

    @OjsHandler(value = "stock.count", queue = "nightly")
    @OjsSchedule(value = "0 3 * * *", timezone = "Europe/Berlin", args = "[\"all\"]")
    int count(String what) {
        return counted.incrementAndGet();
    }
}
