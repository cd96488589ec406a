package io.floodgate.processor.store;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The stored fields of a class, one after the other: the components of a record; of any other class, its fields that are not
 * transient. The only constructor of such a class takes the first ones. The others are set, and a final collection is filled.
 */
public final class StoredFields<T> implements StoredValue<T> {
    /** @param setter null for a field that the constructor takes */
    private record Member(
            String name,
            StoredValue<Object> form,
            boolean isNullable,
            MethodHandle getter,
            @Nullable MethodHandle setter) {
        void write(Object owner, BinaryOut out) {
            Object value = get(owner);
            if (isNullable) out.flag(value != null);
            if (value != null) form.write(value, out);
            else if (!isNullable) throw new NullPointerException(name);
        }

        /** Reads the value; null, too, for an optional one that an earlier version has not written. */
        @Nullable
        Object read(BinaryIn in) {
            return isNullable && !(in.hasMore() && in.flag()) ? null : form.read(in);
        }

        void restore(Object owner, BinaryIn in) {
            Object value = read(in);
            MethodHandle set = setter;
            if (set != null) call(() -> (Object) set.invokeExact(owner, value));
            else if (get(owner) instanceof Map<?, ?> map) put(map, (Map<?, ?>) value);
            else add((Collection<?>) get(owner), (Collection<?>) value);
        }

        @SuppressWarnings("unchecked") // both are values of the same field
        private static <K, V> void put(Map<K, V> map, @Nullable Object more) {
            if (more != null) map.putAll((Map<K, V>) more);
        }

        @SuppressWarnings("unchecked") // both are values of the same field
        private static <E> void add(@Nullable Collection<E> all, @Nullable Object more) {
            if (all != null && more != null) all.addAll((Collection<E>) more);
        }

        private @Nullable Object get(Object owner) {
            try {
                return (Object) getter.invokeExact(owner);
            } catch (Throwable impossible) {
                throw new IllegalStateException(name, impossible);
            }
        }
    }

    private final Class<T> type;
    private final MethodHandle constructor;
    private final Member[] members;
    private final int taken;

    private StoredFields(Class<T> type) throws ReflectiveOperationException {
        this.type = type;
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
        List<Member> all = new ArrayList<>();
        Class<?>[] types;
        if (type.isRecord()) {
            RecordComponent[] components = type.getRecordComponents();
            types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            for (RecordComponent each : components)
                all.add(member(each.getName(), each.getAnnotatedType(), lookup.unreflect(each.getAccessor()), null));
        } else {
            Constructor<?>[] constructors = type.getDeclaredConstructors();
            if (constructors.length != 1) throw new IllegalStateException(type + " has several constructors");
            types = constructors[0].getParameterTypes();
            for (Field each : type.getDeclaredFields())
                if (!Modifier.isStatic(each.getModifiers()) && !Modifier.isTransient(each.getModifiers()))
                    all.add(member(
                            each.getName(),
                            each.getAnnotatedType(),
                            lookup.unreflectGetter(each),
                            Modifier.isFinal(each.getModifiers()) ? null : lookup.unreflectSetter(each)));
        }
        taken = types.length;
        members = all.toArray(Member[]::new);
        constructor = lookup.findConstructor(type, MethodType.methodType(void.class, types))
                .asSpreader(Object[].class, taken)
                .asType(MethodType.methodType(Object.class, Object[].class));
    }

    /** Throws an {@link IllegalStateException} for a class with a field whose type has no stored form. */
    public static <T> StoredFields<T> of(Class<T> type) {
        try {
            return new StoredFields<>(type);
        } catch (ReflectiveOperationException | IllegalStateException wrong) {
            throw new IllegalStateException(type + " has no stored form: " + wrong.getMessage(), wrong);
        }
    }

    @SuppressWarnings("unchecked") // by the type of the field itself
    private static Member member(String name, AnnotatedType type, MethodHandle getter, @Nullable MethodHandle setter) {
        return new Member(
                name,
                (StoredValue<Object>) StoredValues.of(type.getType()),
                type.isAnnotationPresent(Nullable.class),
                getter.asType(MethodType.methodType(Object.class, Object.class)),
                setter == null ? null : setter.asType(MethodType.methodType(Object.class, Object.class, Object.class)));
    }

    @Override
    public void write(T value, BinaryOut out) {
        for (Member member : members) member.write(value, out);
    }

    @Override
    public T read(BinaryIn in) {
        @Nullable Object[] first = new @Nullable Object[taken];
        for (int i = 0; i < taken; i++) first[i] = members[i].read(in);
        T value = Objects.requireNonNull(type.cast(call(() -> (Object) constructor.invokeExact(first))));
        for (int i = taken; i < members.length; i++) members[i].restore(value, in);
        return value;
    }

    private interface Call {
        @Nullable
        Object run() throws Throwable;
    }

    private static @Nullable Object call(Call call) {
        try {
            return call.run();
        } catch (RuntimeException | Error wrong) {
            throw wrong;
        } catch (Throwable checked) {
            throw new IllegalStateException(checked);
        }
    }
}
