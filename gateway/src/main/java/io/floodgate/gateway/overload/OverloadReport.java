package io.floodgate.gateway.overload;

import io.floodgate.topics.json.JsonOut;

/** The report of how full the server and its partitions are, for pages: the metrics in one answer. */
public final class OverloadReport {
    private OverloadReport() {}

    /** Writes the members into the object at hand. */
    public static void write(Overload overload, JsonOut out) {
        out.name("circuits").beginObject();
        overload.circuits()
                .all()
                .forEach((name, circuit) -> out.field(name, circuit.state().label()));
        out.endObject().name("levels").beginObject();
        overload.levels().forEach((of, level) -> out.field(of, level.label()));
        out.endObject().name("saturation").beginObject();
        for (Signal one : overload.signals())
            out.field(one.name(), one.saturation().getAsDouble());
        out.endObject().name("logs").beginArray();
        for (PartitionAdmission door : overload.doors())
            out.beginObject()
                    .field("log", door.log().toString())
                    .field("level", door.level().label())
                    .field("saturation", door.saturation())
                    .field("concurrency_limit", door.line().limit())
                    .field("concurrency_used", door.line().inFlight())
                    .field("line_saturation", door.line().saturation())
                    .endObject();
        out.endArray().name("buffers").beginObject();
        overload.buffers().saturations().forEach(out::field);
        out.endObject().name("refused").beginObject();
        overload.rejected().forEach((cause, count) -> out.field(cause, count.sum()));
        out.endObject();
    }
}
