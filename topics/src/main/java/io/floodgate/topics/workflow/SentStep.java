package io.floodgate.topics.workflow;

import io.floodgate.topics.json.Members;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A step as it was sent, before it is known what it needs.
 *
 * @param named the callback that it may be meant as
 */
record SentStep(
        Members members, String path, String id, @Nullable Callback named, List<String> dependsOn) {
    SentStep {
        dependsOn = List.copyOf(dependsOn);
    }

    /** Callbacks that some clients send as steps: taken for steps, one for failures would run after a success. */
    static List<SentStep> callbacks(List<SentStep> sent) {
        List<SentStep> callbacks =
                new ArrayList<>(sent.stream().filter(step -> step.named != null).toList());
        boolean changed = true;
        while (changed) {
            Set<String> others = new LinkedHashSet<>();
            for (SentStep step : sent) if (!callbacks.contains(step)) others.add(step.id);
            changed = callbacks.removeIf(step -> others.isEmpty() || !step.followsFrom(others, callbacks));
        }
        return callbacks;
    }

    private boolean followsFrom(Set<String> others, List<SentStep> callbacks) {
        Set<String> needed = new LinkedHashSet<>(dependsOn);
        for (SentStep callback : callbacks) needed.remove(callback.id);
        return needed.equals(others);
    }
}
