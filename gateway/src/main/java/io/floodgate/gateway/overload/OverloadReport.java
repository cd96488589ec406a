package io.floodgate.gateway.overload;

import io.floodgate.topics.json.JsonOut;

/** The report of how full the server and its partitions are, for pages: the metrics in one answer. */
public final class OverloadReport {
    private OverloadReport() {}

    /** Writes the members into the object at hand. */
    public static void write(Overload overload, JsonOut out) {
        out.beginObject("circuits");
        overload.circuits()
                .all()
                .forEach((name, circuit) -> out.field(name, circuit.state().label()));
        out.endObject().beginObject("levels");
        overload.levels().forEach((of, level) -> out.field(of, level.label()));
        out.endObject().beginObject("saturation");
        for (Signal one : overload.signals())
            out.field(one.name(), one.saturation().getAsDouble());
        out.endObject().beginArray("logs");
        for (PartitionAdmission door : overload.doors())
            out.beginObject()
                    .field("log", door.log().toString())
                    .field("level", door.level().label())
                    .field("saturation", door.saturation())
                    .field("concurrency_limit", door.line().limit())
                    .field("concurrency_used", door.line().inFlight())
                    .field("line_saturation", door.line().saturation())
                    .endObject();
        out.endArray().beginObject("buffers");
        overload.buffers().saturations().forEach(out::field);
        out.endObject().beginObject("refused");
        overload.rejected().forEach((cause, count) -> out.field(cause, count.sum()));
        out.endObject();
    }
}
