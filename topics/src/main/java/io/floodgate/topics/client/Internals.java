package io.floodgate.topics.client;

import java.lang.reflect.Field;
import java.util.Objects;
import java.util.function.Predicate;

/** Fields of Kafka's clients for which these have no methods. */
final class Internals {
    private Internals() {}

    static Object of(Class<?> declaring, String name, Object owner) {
        try {
            return Objects.requireNonNull(field(declaring, name).get(owner));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("%s has no field %s".formatted(declaring.getName(), name), e);
        }
    }

    /** Sets the field to null if it has a value that matches. */
    static void clear(Object owner, String name, Predicate<Object> matches) {
        try {
            Field field = field(owner.getClass(), name);
            Object value = field.get(owner);
            if (value != null && matches.test(value)) field.set(owner, null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "%s has no field %s".formatted(owner.getClass().getName(), name), e);
        }
    }

    private static Field field(Class<?> declaring, String name) throws NoSuchFieldException {
        Field field = declaring.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
