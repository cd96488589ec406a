package io.floodgate.processor.queue.lifecycle;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.bound.AdmissionChecks;
import io.floodgate.processor.queue.bound.Capacity;
import io.floodgate.processor.queue.bound.ProducerAcl;
import io.floodgate.processor.queue.job.TenantRecount;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.QueueChange.Configured;
import io.floodgate.processor.queue.state.QueueChange.Paused;
import io.floodgate.processor.queue.state.QueueChange.Resumed;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.CreateQueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantBounds;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Queries and decisions of operators about queues, except their end. */
public record QueueAdmin(
        Queues queues,
        DefaultPolicy defaults,
        AdmissionChecks gates,
        Capacity capacity,
        TenantRecount tenants,
        QueueReplies replies,
        Effects out) {
    public void create(CreateQueue command) {
        Rejection rejection = rejectToCreate(command);
        if (rejection != null) {
            out.reject(rejection);
            return;
        }
        Queue queue = queues.make(command.queue(), true, command.config());
        tenants.follow(queue);
        replies.show(queue);
    }

    private @Nullable Rejection rejectToCreate(CreateQueue command) {
        Rejection impossible = ProducerAcl.rejectConfig(command.queue(), command.config());
        if (impossible != null) return impossible;
        Queue known = queues.find(command.queue());
        return known == null ? capacity.reject(List.of(command.queue())) : exists(known);
    }

    private static Rejection exists(Queue queue) {
        Rejection rejection = AdmissionChecks.rejectChange(queue);
        return rejection != null
                ? rejection
                : Rejection.of(
                                ErrorCode.CONFLICT,
                                "Queue '%s' exists already; PUT /ojs/v1/queues/%s/config changes its configuration."
                                        .formatted(queue.name, queue.name))
                        .with("queue", queue.name)
                        .with("current_state", queue.isPaused() ? "paused" : "active");
    }

    public void configure(ConfigureQueue command) {
        Rejection impossible = ProducerAcl.rejectConfig(command.queue(), command.set());
        if (impossible != null) {
            out.reject(impossible);
            return;
        }
        if (command.queue().equals(QueueConfig.DEFAULT)) {
            defaults.configure(command);
            return;
        }
        Queue known = queues.find(command.queue());
        Rejection rejection = known == null ? rejectNew(command) : AdmissionChecks.rejectChange(known);
        if (rejection != null) {
            out.reject(rejection);
            return;
        }
        QueueConfig before = known == null ? QueueConfig.NONE : known.decided();
        QueueConfig config = command.set().over(before.without(command.unset()));
        if (config.tenants().depths().size() > TenantBounds.MOST) {
            out.reject(tooManyTenants(command.queue()));
            return;
        }
        Queue queue = queues.use(command.queue());
        if (!config.equals(before)) {
            queues.apply(new Configured(config), queue);
            tenants.follow(queue);
            if (!config.limits().equals(before.limits())) queues.toServe(queue);
        }
        if (!command.set().limits().isUnlimited() || !Collections.disjoint(command.unset(), Allowance.NAMES)) {
            queue.unfreeze();
            queues.changed(queue);
            queues.toServe(queue);
        }
        replies.show(queue);
    }

    private @Nullable Rejection rejectNew(ConfigureQueue command) {
        return command.mustExist()
                ? Rejection.notFound("queue", command.queue())
                : capacity.reject(List.of(command.queue()));
    }

    private static Rejection tooManyTenants(String queue) {
        return Rejection.of(
                        ErrorCode.INVALID_REQUEST,
                        "Queue '%s' would have bounds of its own for more than %d tenants; '%s' bounds all others alike."
                                .formatted(queue, TenantBounds.MOST, TenantBounds.OTHERS))
                .with("field", "tenants");
    }

    public void pause(String name, @Nullable String reason) {
        Queue known = queues.find(name);
        Rejection rejection = known == null ? gates.reject(List.of(name)) : AdmissionChecks.rejectChange(known);
        if (rejection != null) {
            out.reject(rejection);
            return;
        }
        Queue queue = queues.use(name);
        if (!queue.isPaused()) queues.apply(new Paused(reason), queue);
        replies.show(queue);
    }

    public void resume(String name) {
        Queue queue = queues.find(name);
        Rejection rejection = queue == null ? null : AdmissionChecks.rejectChange(queue);
        if (rejection != null) {
            out.reject(rejection);
            return;
        }
        if (queue != null && queue.isPaused()) queues.apply(new Resumed(), queue);
        replies.show(queue == null ? queues.imagine(name) : queue);
    }

    public void show(String name) {
        if (name.equals(QueueConfig.DEFAULT)) defaults.show();
        else replies.show(queues.imagine(name));
    }

    /** Answers how many jobs can be fetched, the highest priority first; none for an unknown queue. */
    public void countPriorities(String name) {
        Queue queue = queues.imagine(name);
        Map<Integer, Integer> counts = queue.ready().countByPriority();
        JsonOut reply = JsonOut.object()
                .field("queue", name)
                .field("total", queue.ready().size())
                .beginArray("distribution");
        counts.forEach((priority, count) -> reply.beginObject()
                .field("priority", priority)
                .field("count", count)
                .endObject());
        reply.endArray().beginObject("counts_by_priority");
        counts.forEach((priority, count) -> reply.field(Integer.toString(priority), count));
        out.reply(reply.endObject().endObject());
    }
}
