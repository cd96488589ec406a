package io.floodgate.client;

import io.floodgate.topics.circuit.BreakerState;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All listeners of a producer; one that fails keeps nothing from the others. */
record Listeners(List<ProducerListener> all) implements ProducerListener {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    Listeners {
        all = List.copyOf(all);
    }

    private void tell(Consumer<ProducerListener> what) {
        for (ProducerListener each : all) {
            try {
                what.accept(each);
            } catch (RuntimeException failure) {
                LOG.warn("A listener failed; the producer goes on.", failure);
            }
        }
    }

    @Override
    public void answered(String queue, int jobs, Result result, Duration took) {
        tell(each -> each.answered(queue, jobs, result, took));
    }

    @Override
    public void pressure(QueuePressure pressure) {
        tell(each -> each.pressure(pressure));
    }

    @Override
    public void breaker(String queue, BreakerState state) {
        LOG.info("The circuit of {} is {}.", queue.equals(SERVER) ? "the server" : queue, state);
        tell(each -> each.breaker(queue, state));
    }

    @Override
    public void rejected(Job job, EnqueueFailed why) {
        LOG.warn(
                "Job {} will never be taken by the server ({}: {}) and is given up.",
                why.jobId().orElse("?"),
                why.code(),
                why.getMessage());
        tell(each -> each.rejected(job, why));
    }

    @Override
    public void unreadable(long jobs) {
        tell(each -> each.unreadable(jobs));
    }

    @Override
    public void buffered(long jobs, long bytes, double saturation) {
        tell(each -> each.buffered(jobs, bytes, saturation));
    }
}
