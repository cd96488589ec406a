package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.job.Envelope;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The capacity that new jobs need, queue by queue, and which of them lack grants. */
record DemandReader(Queues queues, Producers producers, GrantChecks grants) {
    RequiredCapacity of(Envelope job, Queue queue) {
        return grants.fill(RequiredCapacity.of(job, queue).of(List.of(job), grants.isActive()));
    }

    RequiredCapacity of(QueueDemand asked) {
        return of(List.of(asked)).iterator().next();
    }

    Collection<RequiredCapacity> of(Collection<QueueDemand> asked) {
        return grants.fill(asked.stream().map(this::read).toList());
    }

    private RequiredCapacity read(QueueDemand asked) {
        Queue queue = queues.imagine(asked.queue());
        boolean isByTenant = grants.isActive() || queue.countsTenants();
        TenantDemand tenants = isByTenant ? new TenantDemand(queue, asked.tenants()) : TenantDemand.nothing(queue);
        return new RequiredCapacity(queue, asked.jobs(), asked.bytes(), asked.type(), tenants);
    }

    Collection<RequiredCapacity> ofBatch(List<Envelope> batch) {
        Map<String, RequiredCapacity> demands = new LinkedHashMap<>();
        for (Envelope job : batch) {
            Queue queue = queues.imagine(job.queue());
            if (isWatched(queue)) demands.merge(queue.name, RequiredCapacity.of(job, queue), RequiredCapacity::and);
        }
        demands.replaceAll((name, demand) -> demand.of(batch, grants.isActive()));
        return grants.fill(demands.values());
    }

    /** Others may still wait at a queue whose bound was removed. */
    boolean isWatched(Queue queue) {
        return queue.config().isBounded() || queue.countsTenants() || grants.isActive() || producers.at(queue.name) > 0;
    }
}
