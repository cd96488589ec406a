package io.floodgate.topics.command;

import io.floodgate.topics.json.Wire;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** How values of one type are written as integers. */
record NumberForm<T>(ToLongFunction<T> number, LongFunction<T> value, long least, long cap) {
    /** A century: sums with any time stay within the range of a timestamp. */
    private static final long LONGEST = 3_155_760_000_000L;

    /** More would not fit into a date. */
    static final long LATEST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

    private static final NumberForm<Long> LONGS =
            new NumberForm<>(value -> value, value -> value, Long.MIN_VALUE, Long.MAX_VALUE);
    private static final NumberForm<Integer> INTS =
            new NumberForm<>(value -> value, value -> (int) value, 0, Integer.MAX_VALUE);

    private static final Map<Class<?>, NumberForm<?>> ALL = Map.of(
            long.class, LONGS,
            Long.class, LONGS,
            int.class, INTS,
            Integer.class, INTS,
            Duration.class, new NumberForm<>(Duration::toMillis, Duration::ofMillis, 0, Long.MAX_VALUE),
            Instant.class, new NumberForm<>(Instant::toEpochMilli, NumberForm::instant, Long.MIN_VALUE, LATEST));

    private static Instant instant(long millis) {
        return Instant.ofEpochMilli(Math.clamp(millis, 0, LATEST));
    }

    /** Null for a type that is not written as a number. */
    static @Nullable NumberForm<?> of(Class<?> type, RecordComponent component) {
        NumberForm<?> numbers = ALL.get(type);
        return numbers == null ? null : numbers.within(component);
    }

    private NumberForm<T> within(RecordComponent component) {
        Wire.Least lowest = component.getAnnotation(Wire.Least.class);
        Wire.Capped capped = component.getAnnotation(Wire.Capped.class);
        return new NumberForm<>(
                number, value, lowest == null ? least : lowest.value(), capped == null ? cap : capped.value());
    }

    T read(String name, long number) throws UnreadableCommand {
        if (number < least)
            throw new UnreadableCommand(
                    least == 0
                            ? "'%s' must not be negative.".formatted(name)
                            : "'%s' must be %d or more.".formatted(name, least));
        T read = value.apply(Math.min(number, cap));
        if (read instanceof Duration && number > LONGEST)
            throw new UnreadableCommand("'%s' is out of range.".formatted(name));
        return read;
    }
}
