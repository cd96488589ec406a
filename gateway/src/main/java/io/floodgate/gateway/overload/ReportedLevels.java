package io.floodgate.gateway.overload;

import java.util.Locale;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Load-shedding levels; every change is logged for operators. */
final class ReportedLevels {
    private static final Logger LOG = LoggerFactory.getLogger(ReportedLevels.class);

    private final String of;
    private final LevelHysteresis hysteresis;
    private Level before = Level.NORMAL;

    ReportedLevels(String of, LevelHysteresis.Thresholds thresholds, LongSupplier nanos) {
        this.of = of;
        hysteresis = new LevelHysteresis(thresholds, nanos);
    }

    synchronized Level look(double saturation) {
        Level now = hysteresis.look(saturation);
        if (now != before) {
            tell(now, saturation);
            before = now;
        }
        return now;
    }

    private void tell(Level now, double saturation) {
        String percent = String.format(Locale.ROOT, "%.0f%%", 100 * saturation);
        switch (now) {
            case NORMAL -> LOG.info("{} is no longer too full ({}).", of, percent);
            case WARNING -> LOG.warn("{} is filling up ({}).", of, percent);
            case CRITICAL -> LOG.warn("{} is too full ({}): new jobs are rejected.", of, percent);
            case OVERFLOW ->
                LOG.error("{} overflows ({}): all writes are rejected, except reports of finished work.", of, percent);
        }
    }
}
