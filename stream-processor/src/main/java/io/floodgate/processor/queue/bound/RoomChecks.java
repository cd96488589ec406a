package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.QueueCommand.CountRejected;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import java.util.List;

/**
 * Answers questions of gateways about capacity before they write a job, and takes their reports of jobs that they have
 * rejected themselves.
 */
public record RoomChecks(Queues queues, Bounds bounds, Pressure pressure, Effects out) {
    /** Answered like an enqueue, without the job; of a queue that is gone by now, nothing is left to count for. */
    public void countRejected(CountRejected command) {
        Queue queue = queues.find(command.queue());
        String tenant = command.tenant();
        if (queue != null && tenant != null && queue.countsTenants())
            pressure.rejected(queue, command.jobs(), command.type(), tenant, true);
        else if (queue != null && queue.config().isBounded())
            pressure.rejected(queue, command.jobs(), command.type(), null, true);
        replyWithLoad(command.queue());
    }

    /** Answers whether there is capacity. Only the counts of rejected jobs change. */
    public void checkRoom(CheckRoom command) {
        Rejection rejection = bounds.reject(command.demand());
        if (rejection == null) replyWithLoad(command.queue());
        else out.reject(rejection);
    }

    private void replyWithLoad(String queue) {
        JsonOut reply = JsonOut.object(256).endObject();
        bounds.loads(List.of(queue)).forEach(load -> reply.newLine().raw(load));
        out.reply(reply.newLine());
    }
}
