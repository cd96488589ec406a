package io.floodgate.bench;

import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.report.HtmlReport;
import io.floodgate.bench.report.JsonReport;
import io.floodgate.bench.report.Machine;
import io.floodgate.bench.report.MachineLimit;
import io.floodgate.bench.report.Report;
import io.floodgate.bench.report.ReportFinding;
import io.floodgate.bench.report.Table;
import io.floodgate.bench.report.Yardstick;
import io.floodgate.bench.run.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measures, and reports what it has found. */
abstract class MeasuringCommand implements Callable<Integer> {
    @Mixin
    final CommonOptions common = new CommonOptions();

    @Spec
    CommandSpec spec = CommandSpec.create();

    private final List<ReportFinding> findings = new ArrayList<>();
    private Optional<MachineLimit> limit = Optional.empty();

    abstract void measure(Settings settings) throws Exception;

    final void found(Yardstick yardstick, Measurement measurement) {
        findings.add(new ReportFinding(measurement, yardstick));
        out().printf("%s: %,.0f %s/s%n", measurement.name(), measurement.perSecond(), measurement.unit());
        out().flush();
    }

    /** A measurement, and then what it is made of. */
    final void foundSteps(Yardstick yardstick, List<Measurement> measurements) {
        found(yardstick, measurements.getFirst());
        for (Measurement step : measurements.subList(1, measurements.size())) found(Yardstick.NONE, step);
    }

    /** From now on everything is held against these. */
    final void foundLimit(List<Measurement> three) {
        for (Measurement each : three) found(Yardstick.NONE, each);
        limit = Optional.of(MachineLimit.of(three.get(0), three.get(1), three.get(2)));
    }

    @Override
    public Integer call() throws Exception {
        Settings settings = common.settings();
        out().printf("%s and %s, queues %s-…%n", common.url, common.bootstrap, settings.queue());
        measure(settings);
        Report report = new Report(Instant.now(), Machine.here(), limit, findings);
        Table.print(report, out());
        out().flush();
        write(report);
        return report.hasErrors() ? 1 : 0;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private void write(Report report) throws IOException {
        if (common.json != null) Files.write(common.json, JsonReport.of(report));
        if (common.html != null) Files.write(common.html, HtmlReport.of(report));
    }
}
