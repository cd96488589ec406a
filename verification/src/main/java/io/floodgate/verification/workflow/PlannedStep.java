package io.floodgate.verification.workflow;

import java.util.List;

/**
 * A step as its workflow was sent.
 *
 * @param name as the server names it
 * @param needs names of the steps that have to end before it
 */
record PlannedStep(String name, List<String> needs, Condition condition) {
    /** What names of callbacks begin with. */
    static final String CALLBACK = "on_";

    /** When it runs, once all that it needs has ended. */
    enum Condition {
        ALL_SUCCEEDED,
        ALL_DONE,
        ANY_FAILED
    }

    PlannedStep {
        needs = List.copyOf(needs);
    }

    boolean isCallback() {
        return name.startsWith(CALLBACK);
    }
}
