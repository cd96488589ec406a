package io.floodgate.topics.command;

import static io.floodgate.topics.command.Samples.json;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.json.Wire;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Random values of records, within what their annotations permit. */
final class RandomRecords {
    private static final String HEX = "0123456789abcdef";

    private final Random random;
    private final Map<Class<?>, List<Object>> known;

    RandomRecords(long seed) throws ReflectiveOperationException {
        random = new Random(seed);
        known = Samples.ofOwnForms();
    }

    <R> R of(Class<R> type) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) values[i] = value(components[i]);
        return type.getDeclaredConstructor(types).newInstance(values);
    }

    private @Nullable Object value(RecordComponent component) throws ReflectiveOperationException {
        if (component.getAnnotatedType().isAnnotationPresent(Nullable.class) && random.nextInt(3) == 0) return null;
        return value(component, component.getGenericType(), 3);
    }

    private Object value(RecordComponent component, Type type, int most) throws ReflectiveOperationException {
        if (type instanceof ParameterizedType generic) return collection(component, generic, most);
        Class<?> plain = (Class<?>) type;
        if (plain.isEnum()) return plain.getEnumConstants()[random.nextInt(plain.getEnumConstants().length)];
        List<Object> samples = known.get(plain);
        if (samples != null) return samples.get(random.nextInt(samples.size()));
        return switch (plain.getSimpleName()) {
            case "boolean", "Boolean" -> random.nextBoolean();
            case "int", "Integer" -> (int) number(component);
            case "long", "Long" -> number(component);
            case "Double" -> random.nextInt(5) / 4.0;
            case "String" -> text(component);
            case "Duration" -> Duration.ofMillis(number(component));
            case "Instant" -> Instant.ofEpochMilli(random.nextInt(1_000_000));
            case "byte[]" -> bytes(component);
            case "JobId" ->
                random.nextBoolean()
                        ? Samples.JOB
                        : JobId.parse("019539a4-b68c-7def-8000-00000000000" + random.nextInt(10))
                                .orElseThrow();
            case "PartitionId" -> new PartitionId(random.nextInt(64));
            case "ReplyTo" -> new ReplyTo(random.nextInt(9), "gateway-1", random.nextInt());
            case "Rejection" -> Rejection.notFound("job", text(component)).with("n", random.nextInt());
            default -> of(plain);
        };
    }

    private Object collection(RecordComponent component, ParameterizedType type, int most)
            throws ReflectiveOperationException {
        Class<?> raw = (Class<?>) type.getRawType();
        int size = Math.max(random.nextInt(most + 1), component.isAnnotationPresent(Wire.Least.class) ? 1 : 0);
        if (Map.class.isAssignableFrom(raw)) {
            Map<String, Long> counts = new TreeMap<>();
            for (int i = 0; i < size; i++) counts.put("k" + random.nextInt(50), (long) random.nextInt(1_000));
            return counts;
        }
        Type element = type.getActualTypeArguments()[0];
        List<Object> elements = new java.util.ArrayList<>();
        for (int i = 0; i < size; i++) elements.add(value(component, element, most));
        return raw == Set.class ? new HashSet<>(elements) : elements;
    }

    private long number(RecordComponent component) {
        Wire.Least least = component.getAnnotation(Wire.Least.class);
        Wire.Most most = component.getAnnotation(Wire.Most.class);
        Wire.Capped capped = component.getAnnotation(Wire.Capped.class);
        long lowest = least == null ? 0 : Math.max(-100, least.value());
        long highest = capped != null ? capped.value() : most != null ? most.value() : 100_000;
        return lowest + random.nextLong(Math.min(highest, 100_000) - lowest + 1);
    }

    private String text(RecordComponent component) {
        Wire.Matches matches = component.getAnnotation(Wire.Matches.class);
        String letters = matches == null ? "abc.\"\\é\n\u0001" : HEX;
        int length = matches == null ? 1 + random.nextInt(9) : 64;
        return IntStream.range(0, length)
                .mapToObj(i ->
                        letters.substring(i % 3, letters.length()).charAt(random.nextInt(letters.length() - i % 3)))
                .map(String::valueOf)
                .reduce("", String::concat);
    }

    private byte[] bytes(RecordComponent component) {
        if (component.isAnnotationPresent(Wire.Binary.class)) {
            byte[] bytes = new byte[random.nextInt(9)];
            random.nextBytes(bytes);
            return bytes;
        }
        if (component.isAnnotationPresent(Wire.JsonArray.class)) return json("[1.10,\"a\"]");
        if (component.isAnnotationPresent(Wire.AnyJson.class) && random.nextBoolean()) return json("\"text\"");
        return json("{\"id\":\"%d\",\"args\":[-0,1e400]}".formatted(random.nextInt(99)));
    }
}
