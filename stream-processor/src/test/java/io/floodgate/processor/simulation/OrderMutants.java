package io.floodgate.processor.simulation;

import static io.floodgate.processor.simulation.Edit.condition;
import static io.floodgate.processor.simulation.Edit.deleted;
import static io.floodgate.processor.simulation.Edit.to;
import static io.floodgate.processor.simulation.Edit.value;
import static io.floodgate.processor.simulation.Mutant.Search.ORDER;

import java.util.List;

/** What the search must find of order keys. */
final class OrderMutants {
    private OrderMutants() {}

    static final List<Mutant> ALL = List.of(
            Mutant.of(ORDER, "a job takes no place in its line", "order-number", deleted()),
            Mutant.of(ORDER, "a queue that skips waits for a job that has failed", "order-after-failure", deleted()),
            Mutant.of(ORDER, "a job that waits for its key is there twice once it does not", "key-released", deleted()),
            Mutant.of(ORDER, "a stored job has no order key", "stored-order", value("null")),
            Mutant.of(ORDER, "two jobs of a key run", "key-running", to("return first;")),
            Mutant.of(
                    ORDER,
                    "a job moves before another one of its key",
                    "move-in-order",
                    condition("job.state != JobState.ACTIVE")));
}
