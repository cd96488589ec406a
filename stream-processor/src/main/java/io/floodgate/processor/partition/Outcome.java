package io.floodgate.processor.partition;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Event;
import io.floodgate.processor.kernel.Outgoing;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The effects of a record, besides the writes to the stores. */
public final class Outcome {
    private final List<Effects.Answer> answers = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final List<Outgoing> outgoing = new ArrayList<>();
    private final Set<String> changedQueues = new LinkedHashSet<>();

    void add(Effects effects, List<String> queues) {
        answers.addAll(effects.answers());
        events.addAll(effects.events());
        outgoing.addAll(effects.outgoing());
        changedQueues.addAll(queues);
    }

    void add(Outcome more) {
        answers.addAll(more.answers);
        events.addAll(more.events);
        outgoing.addAll(more.outgoing);
        changedQueues.addAll(more.changedQueues);
    }

    public List<Effects.Answer> answers() {
        return answers;
    }

    public List<Event> events() {
        return events;
    }

    public List<Outgoing> outgoing() {
        return outgoing;
    }

    /** Queues whose status is to be published again. */
    public Set<String> changedQueues() {
        return changedQueues;
    }
}
