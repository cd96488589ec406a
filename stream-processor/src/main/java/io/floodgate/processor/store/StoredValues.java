package io.floodgate.processor.store;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The stored forms of values, by their types. */
final class StoredValues {
    private record Form<T>(BiConsumer<BinaryOut, T> writer, Function<BinaryIn, T> reader) implements StoredValue<T> {
        @Override
        public void write(T value, BinaryOut out) {
            writer.accept(out, value);
        }

        @Override
        public T read(BinaryIn in) {
            return reader.apply(in);
        }
    }

    private static final SortedMap<String, Form<?>> SIMPLE = new TreeMap<>();

    static {
        for (Class<?> type : new Class<?>[] {int.class, Integer.class})
            add(type, new Form<Integer>((out, it) -> out.number(it), BinaryIn::integer));
        for (Class<?> type : new Class<?>[] {long.class, Long.class})
            add(type, new Form<>(BinaryOut::number, BinaryIn::number));
        for (Class<?> type : new Class<?>[] {boolean.class, Boolean.class})
            add(type, new Form<>(BinaryOut::flag, BinaryIn::flag));
        add(Double.class, new Form<>(BinaryOut::real, BinaryIn::real));
        add(Instant.class, new Form<>(BinaryOut::time, BinaryIn::time));
        add(Duration.class, new Form<>((out, it) -> out.number(it.toMillis()), in -> Duration.ofMillis(in.number())));
        add(String.class, new Form<>(BinaryOut::text, BinaryIn::text));
        add(byte[].class, new Form<>(BinaryOut::blob, BinaryIn::blob));
        add(JobId.class, new Form<>(BinaryOut::job, BinaryIn::job));
        add(ReplyTo.class, ofText(ReplyTo::toString, ReplyTo::parse));
        add(Identity.class, ofText(Identity::write, text -> Objects.requireNonNull(Identity.stored(text))));
        add(Rejection.class, new Form<>((out, it) -> out.blob(Reply.write(it)), in -> Reply.readRejection(in.blob())));
    }

    private static void add(Class<?> type, Form<?> form) {
        SIMPLE.put(type.getTypeName(), form);
    }

    private StoredValues() {}

    static StoredValue<?> of(Type type) {
        Form<?> simple = SIMPLE.get(type.getTypeName());
        if (simple != null) return simple;
        if (type instanceof ParameterizedType generic) return ofAll(generic);
        if (!(type instanceof Class<?> of)) throw new IllegalStateException(type + " has no stored form");
        if (of.isEnum()) return ofEnum(of.getEnumConstants());
        return of.isInterface() ? ofCommand(of) : StoredFields.of(of);
    }

    private static <T> Form<T> ofText(Function<T, String> format, Function<String, T> parser) {
        return new Form<>((out, value) -> out.text(format.apply(value)), in -> parser.apply(in.text()));
    }

    private static Form<Object> ofEnum(Object[] constants) {
        Map<String, Object> byName = new TreeMap<>();
        Arrays.stream(constants).forEach(each -> byName.put(((Enum<?>) each).name(), each));
        return ofText(each -> ((Enum<?>) each).name(), name -> Objects.requireNonNull(byName.get(name), name));
    }

    private static <T> Form<T> ofCommand(Class<T> type) {
        if (!Command.class.isAssignableFrom(type)) throw new IllegalStateException(type + " is no command");
        StoredFields<CommandCodec.Encoded> encoded = StoredFields.of(CommandCodec.Encoded.class);
        return new Form<>(
                (out, command) -> encoded.write(CommandCodec.encode((Command) command), out),
                in -> type.cast(encoded.read(in).decode()));
    }

    private static StoredValue<?> ofAll(ParameterizedType generic) {
        Class<?> type = (Class<?>) generic.getRawType();
        StoredValue<?> first = of(generic.getActualTypeArguments()[0]);
        if (Map.class.isAssignableFrom(type)) {
            boolean isOrdered = SequencedMap.class.isAssignableFrom(type) && !SortedMap.class.isAssignableFrom(type);
            return map(isOrdered, first, of(generic.getActualTypeArguments()[1]));
        }
        if (Set.class.isAssignableFrom(type)) return elements(first, TreeSet::new);
        return elements(first, ArrayList::new);
    }

    /** A set is written in the order of its elements: each copy of the state has the same bytes. */
    private static <E> Form<Collection<E>> elements(StoredValue<E> form, Supplier<Collection<E>> empty) {
        return new Form<>(
                (out, all) -> {
                    Collection<E> ordered = all;
                    if (all instanceof Set<E>) {
                        ordered = empty.get();
                        ordered.addAll(all);
                    }
                    out.number(ordered.size());
                    ordered.forEach(each -> form.write(each, out));
                },
                in -> {
                    Collection<E> all = empty.get();
                    for (int left = in.integer(); left > 0; left--) all.add(form.read(in));
                    return all;
                });
    }

    private static <K, V> Form<Map<K, V>> map(boolean isOrdered, StoredValue<K> keys, StoredValue<V> values) {
        return new Form<>(
                (out, map) -> {
                    out.number(map.size());
                    (isOrdered ? map : new TreeMap<>(map)).forEach((key, value) -> {
                        keys.write(key, out);
                        values.write(value, out);
                    });
                },
                in -> {
                    Map<K, V> map = isOrdered ? new LinkedHashMap<>() : new TreeMap<>();
                    for (int left = in.integer(); left > 0; left--) map.put(keys.read(in), values.read(in));
                    return map;
                });
    }
}
