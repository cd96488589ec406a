package io.floodgate.processor.log;

import io.floodgate.processor.batch.Batches;
import io.floodgate.processor.directory.Directory;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.limit.LimitRules;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.worker.WorkerRules;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.AdminCommand;
import io.floodgate.topics.command.AdminCommand.BeginBulk;
import io.floodgate.topics.command.AdminCommand.GetBulk;
import io.floodgate.topics.command.AdminCommand.GetTenant;
import io.floodgate.topics.command.AdminCommand.ListJobs;
import io.floodgate.topics.command.AdminCommand.ListLeases;
import io.floodgate.topics.command.AdminCommand.ListTenants;
import io.floodgate.topics.command.AdminCommand.ListWorkers;
import io.floodgate.topics.command.AdminCommand.Maintain;
import io.floodgate.topics.command.AdminCommand.StopBulk;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.LimitCommand;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.LimitCommand.EndOverride;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.command.LimitCommand.OverrideLimit;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.LogCommand;
import io.floodgate.topics.command.LogCommand.Extend;
import io.floodgate.topics.command.LogCommand.ListDead;
import io.floodgate.topics.command.LogCommand.Withdraw;
import io.floodgate.topics.command.Message;
import io.floodgate.topics.command.Message.Defaults;
import io.floodgate.topics.command.Message.EndMove;
import io.floodgate.topics.command.Message.ExpectJobs;
import io.floodgate.topics.command.Message.Expected;
import io.floodgate.topics.command.Message.FreezeLimit;
import io.floodgate.topics.command.Message.HasCome;
import io.floodgate.topics.command.Message.HasRoom;
import io.floodgate.topics.command.Message.LastNumber;
import io.floodgate.topics.command.Message.Leased;
import io.floodgate.topics.command.Message.LimitChanged;
import io.floodgate.topics.command.Message.Lost;
import io.floodgate.topics.command.Message.Missing;
import io.floodgate.topics.command.Message.MoveJobs;
import io.floodgate.topics.command.Message.PermitLetter;
import io.floodgate.topics.command.Message.Place;
import io.floodgate.topics.command.Message.Placed;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Prepared;
import io.floodgate.topics.command.Message.Readdress;
import io.floodgate.topics.command.Message.Readdressed;
import io.floodgate.topics.command.Message.Release;
import io.floodgate.topics.command.Message.Settle;
import io.floodgate.topics.command.Message.Taken;
import io.floodgate.topics.command.Message.Transfer;
import io.floodgate.topics.command.Message.Transferred;
import io.floodgate.topics.command.Message.Undeliverable;
import io.floodgate.topics.command.Message.Unsettled;
import io.floodgate.topics.command.Message.Verify;
import io.floodgate.topics.command.Message.WantDefaults;
import io.floodgate.topics.command.Message.WantNumber;
import io.floodgate.topics.command.Message.WorkerLost;
import io.floodgate.topics.command.QueueCommand;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.CountPriorities;
import io.floodgate.topics.command.QueueCommand.CountRefused;
import io.floodgate.topics.command.QueueCommand.CreateQueue;
import io.floodgate.topics.command.QueueCommand.Decline;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.QueueCommand.Resume;
import io.floodgate.topics.command.QueueCommand.UseKey;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.WorkerCommand;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.queue.QueueConfig;
import java.util.function.Consumer;

/** Which entity carries out which command: the table of contents of a log. */
final class Dispatch {
    private final Routing routing;
    private final QueueRules queues;
    private final LimitRules limits;
    private final Directory directory;
    private final WorkerRules workers;
    private final Batches batches;
    private final Operations operations;
    private final Effects out;

    Dispatch(
            Routing routing,
            QueueRules queues,
            LimitRules limits,
            Directory directory,
            WorkerRules workers,
            Batches batches,
            Operations operations,
            Effects out) {
        this.routing = routing;
        this.queues = queues;
        this.limits = limits;
        this.directory = directory;
        this.workers = workers;
        this.batches = batches;
        this.operations = operations;
        this.out = out;
    }

    void carryOut(Command command) {
        switch (command) {
            case QueueCommand c -> carryOut(c);
            case JobCommand c -> {
                if (!queues.apply(c)) directory.passOn(c);
            }
            case WorkerCommand c -> workers.apply(c);
            case LimitCommand c -> carryOut(c);
            case LogCommand c -> carryOut(c);
            case AdminCommand c -> carryOut(c);
            case Message m -> carryOut(m);
        }
    }

    private void carryOut(QueueCommand command) {
        switch (command) {
            case Enqueue c -> directory.enqueue(c);
            case EnqueueBatch c -> batches.enqueue(c, out.nextNumber());
            case HoldRoom c -> batches.holdRoom(c, out.nextNumber());
            case HoldBatch c -> batches.hold(c, out.nextNumber());
            case EndHold c -> batches.endHold(c);
            case Fetch c -> queues.fetch(c, out.nextNumber());
            case Watch c -> queues.watch(c, out.nextNumber());
            case Decline c -> queues.decline(c);
            case GetQueue c -> atOwner(c.queue(), c, queues::show);
            case ConfigureQueue c -> atOwner(c.queue(), c, name -> queues.configure(c));
            case CreateQueue c -> atOwner(c.queue(), c, name -> queues.create(c));
            case DeleteQueue c -> atOwner(c.queue(), c, name -> queues.delete(c));
            case Forward c -> atOwner(c.queue(), c, name -> queues.inlets().take(c));
            case CountRefused c -> atOwner(c.queue(), c, name -> queues.countRefused(c));
            case CheckRoom c -> atOwner(c.queue(), c, name -> queues.checkRoom(c));
            case UseKey c -> queues.inlets().use(c);
            case CheckIds c -> directory.check(c);
            case CountPriorities c -> atOwner(c.queue(), c, queues::countPriorities);
            case Pause c -> atOwner(c.queue(), c, queues::pause);
            case Resume c -> atOwner(c.queue(), c, queues::resume);
        }
    }

    /** A queue is only ever in one log: what is asked of it elsewhere is passed on. */
    private void atOwner(String queue, QueueCommand command, Consumer<String> rule) {
        LogId owner = routing.ofQueue(queue);
        boolean isForAll =
                queue.equals(QueueConfig.DEFAULT) && (command instanceof GetQueue || command instanceof ConfigureQueue);
        if (!isForAll && !EnvelopeReader.isQueueName(queue))
            out.refuse(Refusal.of(
                    ErrorCode.INVALID_QUEUE, "No queue can be named '%s'.".formatted(Limits.cut(queue, 255))));
        else if (owner.equals(out.log())) rule.accept(queue);
        else out.pass(owner, queue, command);
    }

    private void carryOut(LimitCommand command) {
        switch (command) {
            case GetLimit c -> limits.commands().get(c);
            case ListLimits c -> limits.commands().list(c);
            case CountLimited c -> queues.countLimited(c);
            case OverrideLimit c -> limits.commands().override(c);
            case EndOverride c -> limits.commands().end(c);
        }
    }

    private void carryOut(LogCommand command) {
        switch (command) {
            case Extend c -> queues.extend(c, directory::queueOf);
            case ListDead c -> queues.listDead(c);
            case Withdraw c -> {
                batches.withdraw(c);
                queues.withdraw(c);
            }
            default -> operations.carryOut(command);
        }
    }

    private void carryOut(AdminCommand command) {
        switch (command) {
            case ListJobs c -> queues.listing().list(c);
            case ListLeases c -> queues.listing().list(c);
            case ListTenants c -> queues.tenants().list(c);
            case GetTenant c -> queues.tenants().get(c);
            case ListWorkers c -> workers.list(c);
            case BeginBulk c -> queues.bulk().begin(c);
            case GetBulk c -> queues.bulk().get(c);
            case StopBulk c -> queues.bulk().stop(c);
            case Maintain c -> queues.maintenance().maintain(c);
        }
    }

    private void carryOut(Message message) {
        switch (message) {
            case ExpectJobs m -> queues.expect(m);
            case Expected m -> queues.expected(m);
            case MoveJobs m -> queues.arrive(m);
            case EndMove m -> queues.endMove(m);
            case Place m -> directory.place(m);
            case Taken m -> directory.taken(m);
            case Placed m -> directory.placed(m);
            case Release m -> directory.release(m);
            case Prepare m -> batches.prepare(m);
            case Prepared m -> batches.prepared(m);
            case Settle m -> batches.settle(m);
            case HasRoom m -> batches.hasRoom(m);
            case Unsettled m -> batches.unsettled(m);
            case Leased m -> workers.leased(m);
            case WorkerLost m -> queues.workerLost(m.worker(), m.left());
            case Lost m -> {
                directory.verify(m.receiver());
                queues.verifyPermits(m.receiver());
                limits.verify(m.receiver());
            }
            case PermitLetter m -> {
                m.asks().forEach(limits::ask);
                m.gives().forEach(queues::take);
            }
            case FreezeLimit m -> limits.freeze(m);
            case LimitChanged m -> queues.limitChanged(m);
            case Verify m -> directory.verify(m);
            case Missing m -> directory.missing(m);
            case Transfer m -> queues.take(m);
            case Transferred m -> queues.transferred(m);
            case HasCome m -> queues.tell(m);
            case Readdress m -> directory.readdress(m);
            case Readdressed m -> directory.readdressed(m);
            case Defaults m -> queues.takeDefaults(m);
            case WantNumber m -> out.tell(m.receiver(), m.receiver().toString(), new LastNumber(out.log()));
            case LastNumber m -> {} // it was enough that it arrived
            case WantDefaults m -> queues.tellDefaults(m);
            case Undeliverable m -> operations.undeliverable(m);
        }
    }
}
