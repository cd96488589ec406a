package io.floodgate.verification.workflow;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.RequestBodies;
import io.floodgate.verification.workflow.PlannedStep.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A workflow that is sent, and what must become of it.
 *
 * @param json its members beside the id
 * @param canStop whether a failure, or the end of its time, cancels what has not started
 */
record PlannedWorkflow(String id, List<PlannedStep> steps, byte[] json, boolean canStop) {
    static final String SIGNAL = "go";
    static final String AFTER_SIGNAL = "2";

    private static final int SHORTEST_TIMEOUT = 5;
    private static final int LONGEST_TIMEOUT = 60;
    private static final int LONGEST_CHAIN = 6;
    private static final int LARGEST_GROUP = 8;
    private static final int ONE_IN_TEN = 10;

    PlannedWorkflow {
        steps = List.copyOf(steps);
    }

    private PlannedWorkflow(String id, List<PlannedStep> steps, JsonOut json) {
        this(id, steps, json.toBytes(), false);
    }

    /** Any of the five shapes, over all of these queues; one of ten jobs fails, one workflow of four fails fast, and one has a timeout. */
    static PlannedWorkflow any(String id, List<String> queues, Random random) {
        Supplier<byte[]> job =
                () -> job(queues.get(random.nextInt(queues.size())), random.nextInt(ONE_IN_TEN) == 0, "");
        PlannedWorkflow any = switch (random.nextInt(5)) {
            case 0 -> chain(id, 2 + random.nextInt(LONGEST_CHAIN - 1), job);
            case 1 -> group(id, 1 + random.nextInt(LARGEST_GROUP), job);
            case 2 -> awaited(id, job, random.nextBoolean());
            case 3 ->
                batch(id, 1 + random.nextInt(LARGEST_GROUP), queues, random.nextInt(2) == 0, random.nextInt(4) == 0);
            default -> diamond(id, queues, random);
        };
        return any.stopping(random.nextInt(4) == 0, random.nextInt(4) == 0 ? timeout(random) : 0);
    }

    private static int timeout(Random random) {
        return random.nextInt(SHORTEST_TIMEOUT, LONGEST_TIMEOUT);
    }

    private PlannedWorkflow stopping(boolean failsFast, int timeout) {
        JsonOut more = new JsonOut(json.length + 64).beginObject().members(json);
        if (failsFast) more.field("on_failure", "fail_fast");
        if (timeout > 0) more.field("timeout", "PT%dS".formatted(timeout));
        return new PlannedWorkflow(id, steps, more.endObject().toBytes(), canStop || failsFast || timeout > 0);
    }

    static byte[] job(String queue, boolean fails, String more) {
        return RequestBodies.json(
                "{'type':'workflow.step','args':['%s','%s'],'options':{'queue':'%s','retry':{'max_attempts':%d}}}",
                fails ? "fail" : "work", more, queue, fails ? 1 : 25);
    }

    private static PlannedWorkflow chain(String id, int length, Supplier<byte[]> job) {
        return list(id, "chain", "steps", length, i -> i == 0 ? List.of() : List.of(Integer.toString(i - 1)), job);
    }

    /** Two jobs, and between them a wait for a signal whose key is the id of the workflow. */
    static PlannedWorkflow awaited(String id, Supplier<byte[]> job, boolean hasTimeout) {
        JsonOut json = new JsonOut()
                .beginObject()
                .field("type", "chain")
                .name("steps")
                .beginArray()
                .raw(job.get())
                .raw(RequestBodies.json(
                        hasTimeout ? "{'wait_for':{'event':'%s','timeout':'PT2S'}}" : "{'wait_for':{'event':'%s'}}",
                        SIGNAL))
                .raw(job.get())
                .endArray()
                .endObject();
        List<PlannedStep> steps = List.of(
                new PlannedStep("0", List.of(), Condition.ALL_SUCCEEDED),
                new PlannedStep(AFTER_SIGNAL, List.of("0"), Condition.ALL_SUCCEEDED));
        return new PlannedWorkflow(id, steps, json.toBytes(), hasTimeout);
    }

    /** Whether a step of it waits for a signal, and another one follows from it. */
    boolean isAwaited() {
        return steps.getLast().name().equals(AFTER_SIGNAL) && steps.size() == 2;
    }

    private static PlannedWorkflow group(String id, int size, Supplier<byte[]> job) {
        return list(id, "group", "jobs", size, i -> List.of(), job);
    }

    private static PlannedWorkflow list(
            String id, String type, String members, int size, IntFunction<List<String>> needs, Supplier<byte[]> job) {
        List<PlannedStep> steps = new ArrayList<>();
        JsonOut json =
                new JsonOut().beginObject().field("type", type).name(members).beginArray();
        for (int i = 0; i < size; i++) {
            steps.add(new PlannedStep(Integer.toString(i), needs.apply(i), Condition.ALL_SUCCEEDED));
            json.raw(job.get());
        }
        return new PlannedWorkflow(id, steps, json.endArray().endObject());
    }

    /** With all three callbacks. */
    static PlannedWorkflow batch(String id, int size, List<String> queues, boolean oneFails, boolean callbackFails) {
        List<PlannedStep> steps = new ArrayList<>();
        JsonOut json = new JsonOut(size * 160)
                .beginObject()
                .field("type", "batch")
                .name("jobs")
                .beginArray();
        for (int i = 0; i < size; i++) {
            steps.add(new PlannedStep(Integer.toString(i), List.of(), Condition.ALL_SUCCEEDED));
            json.raw(job(queues.get(i % queues.size()), oneFails && i == size / 2, ""));
        }
        json.endArray().name("callbacks").beginObject();
        List<String> all = IntStream.range(0, size).mapToObj(Integer::toString).toList();
        List<Condition> conditions = List.of(Condition.ALL_DONE, Condition.ALL_SUCCEEDED, Condition.ANY_FAILED);
        List<String> names = List.of("on_complete", "on_success", "on_failure");
        for (int i = 0; i < names.size(); i++) {
            steps.add(new PlannedStep(names.get(i), all, conditions.get(i)));
            json.fieldRaw(names.get(i), job(queues.getFirst(), i == 0 && callbackFails, names.get(i)));
        }
        return new PlannedWorkflow(id, steps, json.endObject().endObject());
    }

    private static PlannedWorkflow diamond(String id, List<String> queues, Random random) {
        List<PlannedStep> steps = List.of(
                new PlannedStep("top", List.of(), Condition.ALL_SUCCEEDED),
                new PlannedStep("left", List.of("top"), Condition.ALL_SUCCEEDED),
                new PlannedStep("right", List.of("top"), Condition.ALL_DONE),
                new PlannedStep("mend", List.of("left", "right"), Condition.ANY_FAILED),
                new PlannedStep("end", List.of("left", "right"), Condition.ALL_SUCCEEDED));
        JsonOut json = new JsonOut().beginObject().name("steps").beginArray();
        for (PlannedStep step : steps) {
            byte[] job = job(queues.get(random.nextInt(queues.size())), random.nextInt(ONE_IN_TEN) == 0, step.name());
            json.beginObject()
                    .field("id", step.name())
                    .field("depends_on", step.needs())
                    .field("run_if", step.condition().name().toLowerCase(java.util.Locale.ROOT))
                    .members(job)
                    .endObject();
        }
        return new PlannedWorkflow(id, steps, json.endArray().endObject());
    }

    byte[] body() {
        return new JsonOut(json.length + 64)
                .beginObject()
                .field("id", id)
                .members(json)
                .endObject()
                .toBytes();
    }
}
