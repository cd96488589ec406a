package io.floodgate.bench.report;

import io.floodgate.bench.load.Measurement;
import io.floodgate.topics.json.JsonOut;
import java.util.OptionalDouble;

/** The report for programs. What was not measured is not there. */
public final class JsonReport {
    private JsonReport() {}

    public static byte[] of(Report report) {
        Machine machine = report.machine();
        JsonOut out = new JsonOut()
                .beginObject()
                .field("at", report.at())
                .name("machine")
                .beginObject()
                .field("cores", machine.cores())
                .field("os", machine.os())
                .field("java", machine.java())
                .field("heap_bytes", machine.heapBytes())
                .endObject();
        out.name("runs").beginArray();
        for (ReportFinding finding : report.findings()) write(report, finding, out);
        return out.endArray().endObject().toBytes();
    }

    private static void write(Report report, ReportFinding finding, JsonOut out) {
        Measurement found = finding.measurement();
        out.beginObject()
                .field("name", found.name())
                .field("how", found.how())
                .field("unit", found.unit())
                .field("units", found.units())
                .field("seconds", found.window().length().toNanos() / 1e9)
                .field("per_second", found.perSecond());
        OptionalDouble share = report.share(finding);
        if (share.isPresent()) out.field("share_of_limit", share.getAsDouble());
        OptionalDouble cpu = found.cpuMicrosPerUnit();
        if (cpu.isPresent()) out.field("server_cpu_us_per_unit", cpu.getAsDouble());
        OptionalDouble switches = found.switchesPerUnit();
        if (switches.isPresent()) out.field("server_switches_per_unit", switches.getAsDouble());
        out.field("samples", found.samples());
        if (found.samples() > 0) writeLatencies(found, out);
        out.field("errors", found.errors().count());
        if (found.errors().count() > 0)
            out.field("error_messages", found.errors().lines());
        out.endObject();
    }

    private static void writeLatencies(Measurement found, JsonOut out) {
        out.name("latency_ms").beginObject();
        for (double percentile : Report.PERCENTILES)
            if (found.tells(percentile))
                out.field("p" + Double.toString(percentile).replace(".0", ""), found.millisAt(percentile));
        out.field("max", found.maxMillis()).endObject();
    }
}
