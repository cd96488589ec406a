package io.floodgate.topics.command;

import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.ScheduleSpec.JobTemplate;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.LimitReader;
import io.floodgate.topics.limit.UnreadableLimit;
import io.floodgate.topics.queue.Keeping;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.queue.TenantFairness;
import io.floodgate.topics.queue.WorkerPool;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.retry.UnreadableRetry;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Forms that are written by hand: of types that clients spell in several ways, or whose JSON has another shape. */
final class OwnForms {
    private static final Map<Class<?>, ObjectForm<?>> OBJECTS = Map.of(
            WantedJobs.class, ObjectForm.of(WantedJobsCodec::write, WantedJobsCodec::read),
            Keeping.class, ObjectForm.<Keeping>of(QueueConfigCodec::write, QueueConfigCodec::keeping),
            SchedulePlan.class, ObjectForm.<SchedulePlan>of(ScheduleCodec::write, ScheduleCodec::plan),
            JobTemplate.class, ObjectForm.<JobTemplate>of(ScheduleCodec::write, ScheduleCodec::template),
            PartitionSettings.class, ObjectForm.of(PartitionSettings::write, PartitionSettings::read),
            WorkerPool.class, ObjectForm.of(PoolCommandTypes::write, PoolCommandTypes::read));

    private static final Map<Class<?>, MemberForm<?>> MEMBERS = Map.of(
            ErrorReport.class, MemberForm.of(ErrorReport::write, ErrorReport::read),
            RetryOptions.class,
                    MemberForm.<RetryOptions>of((out, name, retry) -> retry.write(out.name(name)), OwnForms::retry),
            Allowance.class,
                    MemberForm.<Allowance>of(
                            (out, name, allowance) -> {
                                allowance.write(out.beginObject(name));
                                out.endObject();
                            },
                            OwnForms::allowance),
            TenantBounds.class,
                    MemberForm.<TenantBounds>of(
                            (out, name, bounds) -> MemberForms.write(out, name, bounds.depths()),
                            (in, name) -> new TenantBounds(in.naturals(name))),
            TenantFairness.class, MemberForm.<TenantFairness>of(QueueConfigCodec::write, QueueConfigCodec::fairness));

    private OwnForms() {}

    static @Nullable ObjectForm<?> ofObject(Class<?> type) {
        return OBJECTS.get(type);
    }

    static @Nullable MemberForm<?> ofMember(Class<?> type) {
        return MEMBERS.get(type);
    }

    private static Allowance allowance(JsonFields in, String name) throws UnreadableCommand {
        try {
            return LimitReader.allowance(Objects.requireNonNull(in.node(name)), name, Set.of());
        } catch (UnreadableLimit unreadable) {
            throw new UnreadableCommand(unreadable.reason());
        }
    }

    private static RetryOptions retry(JsonFields in, String name) throws UnreadableCommand, MalformedJson {
        try {
            return RetryOptions.read(in.members(name));
        } catch (UnreadableRetry unreadable) {
            throw new UnreadableCommand(unreadable.reason());
        }
    }
}
