package io.floodgate.bench.run;

import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.MeasuredWindow;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.ServerUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The same thing measured in several ways, one after the other, then back from the last to the first, and so on: none of them
 * has the better part of a machine that changes meanwhile, or of a server that becomes faster.
 */
final class Rotation {
    private static final int DIGITS = 3;

    /** One way; its name identifies the turns. */
    @FunctionalInterface
    interface Way {
        Measurement measure(String name) throws Exception;
    }

    private record Named(String name, Way way, List<Measurement> turns) {}

    private final List<Named> ways = new ArrayList<>();

    /** What the first one comes to is what the others are compared with. */
    Rotation with(String name, Way way) {
        ways.add(new Named(name, way, new ArrayList<>()));
        return this;
    }

    /** All turns of each way, as one. */
    List<Measurement> take(int turns) throws Exception {
        List<Named> order = ways;
        for (int turn = 1; turn <= turns; turn++) {
            for (Named each : order) each.turns.add(each.way.measure("%s, turn %d".formatted(each.name, turn)));
            order = order.reversed();
        }
        Measurement first = together(ways.getFirst());
        List<Measurement> found = new ArrayList<>(List.of(first));
        for (Named each : ways.subList(1, ways.size())) found.add(compared(together(each), first));
        return found;
    }

    private static Measurement together(Named named) {
        Histogram micros = new Histogram(DIGITS);
        Errors errors = new Errors();
        Optional<ServerUse> server = Optional.of(new ServerUse(0, 0));
        long units = 0;
        long nanos = 0;
        for (Measurement turn : named.turns) {
            micros.add(turn.micros());
            turn.errors().lines().forEach(line -> errors.add(turn.name() + line, turn.name() + ": " + line));
            units += turn.units();
            nanos += turn.window().length().toNanos();
            server = server.flatMap(before -> turn.server().map(before::and));
        }
        Measurement any = named.turns.getFirst();
        String how = "%d turns; %s".formatted(named.turns.size(), any.how());
        return new Measurement(
                named.name, how, any.unit(), units, new MeasuredWindow(0, nanos), micros, server, errors);
    }

    private static Measurement compared(Measurement found, Measurement first) {
        String share = String.format(
                Locale.ROOT, "%.1f%% of the rate of '%s'", found.perSecond() / first.perSecond() * 100, first.name());
        return new Measurement(
                found.name(),
                share + "; " + found.how(),
                found.unit(),
                found.units(),
                found.window(),
                found.micros(),
                found.server(),
                found.errors());
    }
}
