package io.floodgate.topics.command;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Wire;
import io.floodgate.topics.limit.Allowance;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a record, derived from its components: a member for each, by its type ({@link MemberForms}) and its annotations
 * ({@link Wire}). A component that is null, false or an empty map is left out, if its type permits that.
 */
final class RecordForm<R> implements ObjectForm<R> {
    private static final Map<Class<?>, RecordForm<?>> FORMS = new ConcurrentHashMap<>();

    /** @param absent the value that is not written; null for {@code @Nullable} components */
    private record Component(
            String name,
            MemberForm<Object> form,
            MethodHandle getter,
            boolean isOptional,
            @Nullable Object absent) {
        @Nullable
        Object of(Object owner) {
            try {
                return (Object) getter.invokeExact(owner);
            } catch (Throwable impossible) {
                throw new IllegalStateException(name, impossible);
            }
        }

        @Nullable
        Object read(JsonFields in) throws UnreadableCommand, MalformedJson {
            return isOptional && !in.has(name) ? absent : form.reader().read(in, name);
        }
    }

    private final Class<R> type;
    private final Component[] components;
    private final MethodHandle constructor;

    private RecordForm(Class<R> type) {
        this.type = type;
        RecordComponent[] all = type.getRecordComponents();
        components = Arrays.stream(all).map(RecordForm::component).toArray(Component[]::new);
        Class<?>[] types = Arrays.stream(all).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            constructor = MethodHandles.lookup()
                    .findConstructor(type, MethodType.methodType(void.class, types))
                    .asSpreader(Object[].class, types.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException hidden) {
            throw new IllegalStateException(type + " has no public constructor", hidden);
        }
    }

    /** Throws an {@link IllegalStateException} that names the component, if no rule covers one. */
    @SuppressWarnings("unchecked") // by its own class
    static <R> RecordForm<R> of(Class<R> type) {
        RecordForm<?> form = FORMS.get(type);
        if (form == null) {
            form = new RecordForm<>(type);
            FORMS.put(type, form);
        }
        return (RecordForm<R>) form;
    }

    @SuppressWarnings("unchecked") // a form gets the values of its own component
    private static Component component(RecordComponent component) {
        try {
            boolean isNullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
            Object absent = isNullable ? null : absent(component);
            return new Component(
                    MemberForms.name(component),
                    (MemberForm<Object>) MemberForms.of(component),
                    MethodHandles.lookup()
                            .unreflect(component.getAccessor())
                            .asType(MethodType.methodType(Object.class, Object.class)),
                    isNullable || absent != null,
                    absent);
        } catch (ReflectiveOperationException hidden) {
            throw new IllegalStateException(component + " cannot be read", hidden);
        }
    }

    private static @Nullable Object absent(RecordComponent component) {
        Class<?> type = component.getType();
        if (type == boolean.class) return false;
        if (type == Map.class) return Map.of();
        if (type == SortedMap.class) return Collections.emptySortedMap();
        if (!component.isAnnotationPresent(Wire.OrEmpty.class)) return null;
        if (type == List.class) return List.of();
        if (type == Set.class) return Set.of();
        if (type == String.class) return "";
        if (type == int.class) return 0;
        if (type == long.class) return 0L;
        if (type == Duration.class) return Duration.ZERO;
        if (type == Instant.class) return Instant.EPOCH;
        if (type == Allowance.class) return Allowance.UNLIMITED;
        try {
            return type.getField("NONE").get(null);
        } catch (ReflectiveOperationException none) {
            throw new IllegalStateException("There is no empty value of " + component, none);
        }
    }

    @Override
    public void write(R value, JsonOut out) {
        for (Component component : components) {
            Object member = component.of(value);
            if (member != null && !member.equals(component.absent))
                component.form.writer().write(out, component.name, member);
        }
    }

    @Override
    public R read(JsonFields in) throws UnreadableCommand, MalformedJson {
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < values.length; i++) values[i] = components[i].read(in);
        try {
            return type.cast((Object) constructor.invokeExact(values));
        } catch (RuntimeException | Error wrong) {
            throw wrong;
        } catch (Throwable checked) {
            throw new IllegalStateException(type.getName(), checked);
        }
    }

    @Override
    public void check(R value) throws UnreadableCommand {
        for (Component component : components) {
            Object member = component.of(value);
            if (member != null && !member.equals(component.absent))
                component.form.check().check(component.name, member);
        }
    }
}
