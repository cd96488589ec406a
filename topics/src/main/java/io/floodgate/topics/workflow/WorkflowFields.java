package io.floodgate.topics.workflow;

import io.floodgate.topics.command.Limits;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.json.NearestName;
import io.floodgate.topics.workflow.UnreadableWorkflow.Wrong;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The fields of workflows and of their steps, and what is said of others: a dependency that is ignored runs too early. */
final class WorkflowFields {
    /** Fields of a step that are not of its job. */
    static final Set<String> OF_STEP =
            Set.of("id", "depends_on", "needs", "run_if", "allow_failure", "callback_type", "wait_for", "for_each");

    private static final Set<String> INSIDE =
            with(OF_STEP, List.of("type", "name", "steps", "jobs", "callbacks", "options"));

    private static final Set<String> OUTERMOST = with(
            Set.of("id", "timeout", "timeout_ms", "retention", "retention_ms", "on_failure"),
            List.of("type", "name", "steps", "jobs", "callbacks", "options"));

    /** Notes of clients about a workflow: nothing depends on them, and they are not stored. */
    private static final Set<String> NOTES =
            Set.of("meta", "metadata", "description", "tags", "specversion", "version");

    /** A field that jobs of other systems have, and that is not {@code run_if}. */
    private static final String RUN_ID = "run_id";

    private WorkflowFields() {}

    private static Set<String> with(Set<String> some, List<String> others) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(others);
        return all;
    }

    /** The first field that no workflow has. */
    static Optional<Wrong> ofWorkflow(Members members, boolean isInside, String path) {
        Set<String> known = isInside ? INSIDE : OUTERMOST;
        return members.names().stream()
                .filter(name -> !known.contains(name) && !NOTES.contains(name) && !isExtension(name))
                .findFirst()
                .map(name -> unknown(name, path, known));
    }

    /** The first field that is one of a step misspelled; jobs keep all others (OJS core §5). */
    static Optional<Wrong> ofStep(Members members, String path) {
        return members.names().stream()
                .filter(name -> !name.equals(RUN_ID)
                        && NearestName.misspelled(name, OF_STEP).isPresent())
                .findFirst()
                .map(name -> unknown(name, path, OF_STEP));
    }

    private static boolean isExtension(String name) {
        return name.startsWith("x_") || name.startsWith("ext_");
    }

    private static Wrong unknown(String name, String path, Set<String> known) {
        String message = "There is no such field.%s The fields are: %s."
                .formatted(NearestName.meant(name, known), String.join(", ", new TreeSet<>(known)));
        return new Wrong(path + "." + Limits.echo(name), message);
    }
}
