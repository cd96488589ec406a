package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How values of one type are written as text. */
record TextForm<T>(Function<T, String> format, Parser<T> parser) {
    @FunctionalInterface
    interface Parser<T> {
        T parse(String name, String text) throws UnreadableCommand;
    }

    private static final Map<Class<?>, TextForm<?>> ALL = Map.of(
            String.class, new TextForm<>(Function.<String>identity(), (name, text) -> text),
            JobId.class, new TextForm<>(JobId::toString, (name, text) -> JsonFields.parseJob(text)),
            PartitionId.class, new TextForm<>(PartitionId::toString, (name, text) -> JsonFields.parsePartition(text)),
            ReplyTo.class, new TextForm<>(ReplyTo::toString, TextForm::replyTo));

    /** Null for a type that is not written as text. */
    static @Nullable TextForm<?> of(Class<?> type) {
        return type.isEnum() ? ofEnum(type) : ALL.get(type);
    }

    private static ReplyTo replyTo(String name, String text) throws UnreadableCommand {
        try {
            return ReplyTo.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new UnreadableCommand("'%s' is no reply address.".formatted(name));
        }
    }

    private static TextForm<Object> ofEnum(Class<?> type) {
        Map<String, Object> constants = new HashMap<>();
        Map<Object, String> words = new HashMap<>();
        for (Object constant : type.getEnumConstants()) {
            String word = word(constant);
            constants.put(word, constant);
            words.put(constant, word);
        }
        String known = String.join(
                ", ", Arrays.stream(type.getEnumConstants()).map(words::get).toList());
        return new TextForm<>(constant -> String.valueOf(words.get(constant)), (name, text) -> {
            Object constant = constants.get(text);
            if (constant == null)
                throw new UnreadableCommand(
                        "'%s' must be one of %s; it is '%s'.".formatted(name, known, Limits.echo(text)));
            return constant;
        });
    }

    /** The constant's own word for the wire, if it has one, and its name otherwise. */
    private static String word(Object constant) {
        try {
            Class<?> type = constant.getClass();
            return (String) MethodHandles.publicLookup()
                    .findVirtual(type, "wire", MethodType.methodType(String.class))
                    .invoke(constant);
        } catch (NoSuchMethodException plain) {
            return constant.toString().toLowerCase(Locale.ROOT);
        } catch (Throwable failed) {
            throw new IllegalStateException(constant.getClass() + " has no words", failed);
        }
    }
}
