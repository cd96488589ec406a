package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.AdminCommand.BeginBulk;
import io.floodgate.topics.command.AdminCommand.GetBulk;
import io.floodgate.topics.command.AdminCommand.GetTenant;
import io.floodgate.topics.command.AdminCommand.ListJobs;
import io.floodgate.topics.command.AdminCommand.ListLeases;
import io.floodgate.topics.command.AdminCommand.ListTenants;
import io.floodgate.topics.command.AdminCommand.Maintain;
import io.floodgate.topics.command.AdminCommand.StopBulk;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Message.Defaults;
import io.floodgate.topics.command.Message.HasCome;
import io.floodgate.topics.command.Message.LimitChanged;
import io.floodgate.topics.command.Message.Transfer;
import io.floodgate.topics.command.Message.Transferred;
import io.floodgate.topics.command.Message.WantDefaults;
import io.floodgate.topics.command.Message.WorkerLost;
import io.floodgate.topics.command.MoveMessage.CountJobs;
import io.floodgate.topics.command.MoveMessage.EndMove;
import io.floodgate.topics.command.MoveMessage.ExpectJobs;
import io.floodgate.topics.command.MoveMessage.Expected;
import io.floodgate.topics.command.MoveMessage.MoveJobs;
import io.floodgate.topics.command.PartitionCommand.ListDead;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.CountPriorities;
import io.floodgate.topics.command.QueueCommand.CountRejected;
import io.floodgate.topics.command.QueueCommand.CreateQueue;
import io.floodgate.topics.command.QueueCommand.Decline;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.OpenIngress;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.QueueCommand.Resume;
import io.floodgate.topics.command.QueueCommand.UseKey;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.TenantMessage.GiveGrants;
import io.floodgate.topics.command.TenantMessage.TenantBound;
import io.floodgate.topics.command.WorkflowCommand.GetStepJobs;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.queue.QueueConfig;
import java.util.function.Consumer;
import java.util.function.Function;

/** Maps commands, messages and events about queues and their jobs to the parts that execute them. */
final class QueueHandlers {
    private final QueueModule parts;
    private final Handlers handlers;
    private final Routing routing;
    private final Effects out;

    QueueHandlers(QueueModule parts, Handlers handlers, PartitionContext context) {
        this.parts = parts;
        this.handlers = handlers;
        routing = context.routing();
        out = context.out();
    }

    void register() {
        queues();
        jobs();
        listings();
        messages();
    }

    private void queues() {
        atOwner(GetQueue.class, GetQueue::queue, c -> parts.admin.show(c.queue()));
        atOwner(ExplainQueue.class, ExplainQueue::queue, c -> parts.queueFacts.show(c.queue()));
        atOwner(ConfigureQueue.class, ConfigureQueue::queue, parts.admin::configure);
        atOwner(CreateQueue.class, CreateQueue::queue, parts.admin::create);
        atOwner(DeleteQueue.class, DeleteQueue::queue, parts.lives::delete);
        atOwner(Pause.class, Pause::queue, c -> parts.admin.pause(c.queue(), c.reason()));
        atOwner(Resume.class, Resume::queue, c -> parts.admin.resume(c.queue()));
        atOwner(CountPriorities.class, CountPriorities::queue, c -> parts.admin.countPriorities(c.queue()));
        atOwner(CountRejected.class, CountRejected::queue, parts.roomChecks::countRejected);
        atOwner(CheckRoom.class, CheckRoom::queue, parts.roomChecks::checkRoom);
        atOwner(Forward.class, Forward::queue, parts.ingresses::take);
        atOwner(UseKey.class, UseKey::queue, parts.ingresses::use);
        atOwner(OpenIngress.class, OpenIngress::queue, parts.ingresses::open);
        handlers.on(Maintain.class, parts.maintenance::maintain);
    }

    private void jobs() {
        handlers.on(Fetch.class, c -> parts.fetches.fetch(c, out.nextNumber()));
        handlers.on(Watch.class, c -> parts.fetches.watch(c, out.nextNumber()));
        handlers.on(Decline.class, c -> parts.fetches.decline(c.queues()));
        handlers.on(BeginBulk.class, parts.bulk::begin);
        handlers.on(GetBulk.class, parts.bulk::get);
        handlers.on(StopBulk.class, parts.bulk::stop);
    }

    private void listings() {
        handlers.on(ListJobs.class, parts.listing::list);
        handlers.on(ListLeases.class, parts.listing::list);
        handlers.on(ListDead.class, parts.deadLetters::list);
        handlers.on(ListTenants.class, parts.tenantListing::list);
        handlers.on(GetTenant.class, parts.tenantListing::get);
        handlers.on(CountLimited.class, parts.limitedJobs::count);
        handlers.on(GetStepJobs.class, parts.stepStandings::show);
    }

    private void messages() {
        handlers.on(ExpectJobs.class, parts.expecting::expect);
        handlers.on(CountJobs.class, parts.moveCounting::count);
        handlers.on(Expected.class, parts.lives::expected);
        handlers.on(MoveJobs.class, parts.expecting::arrive);
        handlers.on(EndMove.class, parts.expecting::end);
        handlers.on(Transfer.class, this::take);
        handlers.on(Transferred.class, parts.transfers::end);
        handlers.on(HasCome.class, parts.transfers::tell);
        handlers.on(WorkerLost.class, m -> parts.departures.workerLost(m.worker(), m.why()));
        handlers.on(LimitChanged.class, parts.limitedJobs::changed);
        handlers.on(TenantBound.class, parts.tenantSweep::take);
        handlers.on(GiveGrants.class, parts.tenantGrants::take);
        handlers.on(Defaults.class, parts.defaults::take);
        handlers.on(WantDefaults.class, parts.defaults::tell);
    }

    /** A job comes from another queue. */
    private void take(Transfer message) {
        JobRecord job = parts.transfers.take(message);
        if (job != null) parts.jobReplies.show(job);
    }

    /** A queue is only ever in one log: what is asked of it elsewhere is passed on. */
    private <C extends Command> void atOwner(Class<C> type, Function<C, String> queueOf, Consumer<C> rule) {
        handlers.on(type, command -> atOwner(queueOf.apply(command), command, rule));
    }

    private <C extends Command> void atOwner(String queue, C command, Consumer<C> rule) {
        PartitionId owner = routing.ofQueue(queue);
        boolean isForAll =
                queue.equals(QueueConfig.DEFAULT) && (command instanceof GetQueue || command instanceof ConfigureQueue);
        if (!isForAll && !EnvelopeReader.isQueueName(queue))
            out.reject(Rejection.of(
                    ErrorCode.INVALID_QUEUE, "No queue can be named '%s'.".formatted(Limits.cut(queue, 255))));
        else if (owner.equals(out.log())) rule.accept(command);
        else out.pass(owner, queue, command);
    }
}
