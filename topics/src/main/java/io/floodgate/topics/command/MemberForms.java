package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.json.Wire;
import java.lang.annotation.Annotation;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The forms of the components of records, by their types and annotations. */
final class MemberForms {
    /** One element of a list. */
    private record ElementForm<T>(Writer<T> writer, ListReader<T> reader, MemberForm.Check<T> check) {
        @FunctionalInterface
        private interface Writer<T> {
            void write(JsonOut out, T element);
        }

        @FunctionalInterface
        private interface ListReader<T> {
            List<T> read(JsonFields in, String name) throws UnreadableCommand, MalformedJson;
        }
    }

    private final RecordComponent component;
    private final Class<?> type;

    private MemberForms(RecordComponent component) {
        this.component = component;
        type = component.getType();
    }

    static String name(RecordComponent component) {
        Wire.Name given = component.getAnnotation(Wire.Name.class);
        if (given != null) return given.value();
        String words = component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
        Class<?> type = component.getType();
        boolean isMillis =
                type == Duration.class || (type == Instant.class && !component.isAnnotationPresent(Wire.Rfc3339.class));
        return type == JobId.class ? words + "_id" : isMillis ? words + "_ms" : words;
    }

    static MemberForm<?> of(RecordComponent component) {
        return new MemberForms(component).form();
    }

    private boolean is(Class<? extends Annotation> annotation) {
        return component.isAnnotationPresent(annotation);
    }

    private long most(long otherwise) {
        Wire.Most most = component.getAnnotation(Wire.Most.class);
        return most == null ? otherwise : most.value();
    }

    private MemberForm<?> form() {
        if (is(Wire.Rfc3339.class)) return MemberForm.of(JsonOut::field, MemberForms::time);
        if (type == byte[].class) return bytes();
        Wire.Words either = component.getAnnotation(Wire.Words.class);
        if (either != null) return eitherWord(List.of(either.value()));
        if (type == boolean.class || type == Boolean.class)
            return MemberForm.<Boolean>of(JsonOut::field, JsonFields::flag);
        if (type == Double.class) return doubles();
        if (type == Rejection.class) return rejection();
        if (Map.class.isAssignableFrom(type)) return counts();
        if (type == List.class) return list(element(0));
        if (type == Set.class) return set(element(0));
        TextForm<?> words = TextForm.of(type);
        if (words != null) return words(words);
        NumberForm<?> numbers = NumberForm.of(type, component);
        if (numbers != null) return numbers(numbers);
        MemberForm<?> own = OwnForms.ofMember(type);
        if (own != null) return own;
        ObjectForm<?> object = object(type);
        return is(Wire.Inline.class) ? MemberForm.inline(object) : MemberForm.of(object);
    }

    private IllegalStateException noRule(Class<?> what) {
        return new IllegalStateException("There is no rule how to write %s, the type of '%s' in %s"
                .formatted(
                        what.getSimpleName(),
                        component.getName(),
                        component.getDeclaringRecord().getName()));
    }

    private ObjectForm<?> object(Class<?> what) {
        ObjectForm<?> own = OwnForms.ofObject(what);
        if (own != null) return own;
        if (!what.isRecord()) throw noRule(what);
        return RecordForm.of(what);
    }

    private Class<?> element(int parameter) {
        if (component.getGenericType() instanceof ParameterizedType generic
                && generic.getActualTypeArguments()[parameter] instanceof Class<?> element) return element;
        if (component.getGenericType().getTypeName().endsWith("<byte[]>")) return byte[].class;
        throw noRule(type);
    }

    private MemberForm<byte[]> bytes() {
        int most = Math.toIntExact(most(Integer.MAX_VALUE));
        MemberForm.Check<byte[]> check = (name, value) -> Limits.bytes(name, value, most);
        if (is(Wire.Binary.class))
            return MemberForm.<byte[]>of(
                            (out, name, value) ->
                                    out.field(name, Base64.getEncoder().encodeToString(value)),
                            JsonFields::bytes)
                    .checked(check);
        MemberForm.Reader<byte[]> reader = is(Wire.AnyJson.class)
                ? JsonFields::raw
                : is(Wire.JsonArray.class) ? JsonFields::array : JsonFields::object;
        boolean forClients = is(Wire.ForClients.class);
        return MemberForm.<byte[]>of(
                        JsonOut::fieldRaw, (in, name) -> reader.read(forClients ? in.withTexts(name) : in, name))
                .checked(check);
    }

    private static MemberForm<Boolean> eitherWord(List<String> words) {
        return MemberForm.of((out, name, value) -> out.field(name, words.get(value ? 1 : 0)), (in, name) -> {
            int index = words.indexOf(in.text(name));
            if (index < 0)
                throw new UnreadableCommand("'%s' must be one of %s.".formatted(name, String.join(", ", words)));
            return index == 1;
        });
    }

    private MemberForm<Double> doubles() {
        Wire.Least least = component.getAnnotation(Wire.Least.class);
        double lowest = least == null ? Double.NEGATIVE_INFINITY : (double) least.value();
        double highest = is(Wire.Most.class) ? (double) most(0) : Double.POSITIVE_INFINITY;
        return MemberForm.<Double>of(JsonOut::field, JsonFields::decimal).checked((name, value) -> {
            if (value < lowest || value > highest)
                throw new UnreadableCommand(
                        "'%s' must be a number from %.0f to %.0f.".formatted(name, lowest, highest));
        });
    }

    private static MemberForm<Rejection> rejection() {
        return MemberForm.of((out, name, value) -> out.fieldRaw(name, Reply.write(value)), JsonFields::rejection);
    }

    private static Instant time(JsonFields in, String name) throws UnreadableCommand {
        return Timestamps.parse(in.text(name))
                .orElseThrow(() -> new UnreadableCommand("'%s' must be an RFC 3339 time.".formatted(name)));
    }

    private MemberForm<Map<String, Long>> counts() {
        int most = Math.toIntExact(most(Integer.MAX_VALUE));
        return MemberForm.of(MemberForms::write, JsonFields::naturals).checked((name, counts) -> {
            Limits.most(name, counts.size(), most);
            for (String each : counts.keySet()) Limits.name(name, each);
        });
    }

    static void write(JsonOut out, String name, Map<String, Long> counts) {
        out.beginObject(name);
        counts.forEach(out::field);
        out.endObject();
    }

    private <T> MemberForm<T> words(TextForm<T> words) {
        MemberForm.Check<String> check = textCheck(most(Limits.NAME_CHARS));
        return MemberForm.<T>of(
                        (out, name, value) -> out.field(name, words.format().apply(value)),
                        (in, name) -> words.parser().parse(name, in.text(name)))
                .checked((name, value) -> check.check(name, words.format().apply(value)));
    }

    private MemberForm.Check<String> textCheck(long most) {
        Wire.Matches matches = component.getAnnotation(Wire.Matches.class);
        Pattern pattern = matches == null ? null : Pattern.compile(matches.value());
        return (name, text) -> {
            Limits.chars(name, text, Math.toIntExact(most));
            if (pattern != null && !pattern.matcher(text).matches())
                throw new UnreadableCommand("'%s' must match %s.".formatted(name, pattern));
        };
    }

    private <T> MemberForm<T> numbers(NumberForm<T> numbers) {
        long most = most(Long.MAX_VALUE);
        return MemberForm.<T>of(
                        (out, name, value) -> out.field(name, numbers.number().applyAsLong(value)),
                        (in, name) -> numbers.read(name, in.number(name)))
                .checked((name, value) -> {
                    if (numbers.number().applyAsLong(value) > most)
                        throw new UnreadableCommand("'%s' is more than %d.".formatted(name, most));
                });
    }

    private <E> MemberForm<List<E>> list(Class<E> of) {
        ElementForm<E> elements = elementForm(of);
        return MemberForm.<List<E>>of((out, name, list) -> write(elements, name, list, out), elements.reader()::read)
                .checked((name, list) -> check(elements, name, list));
    }

    /** Written in the order of the texts. */
    private <E> MemberForm<Set<E>> set(Class<E> of) {
        ElementForm<E> elements = elementForm(of);
        TextForm<?> words = TextForm.of(of);
        if (words == null) throw noRule(of);
        return MemberForm.<Set<E>>of(
                        (out, name, set) -> out.field(name, sorted(words, set)),
                        (in, name) -> new LinkedHashSet<>(elements.reader().read(in, name)))
                .checked((name, set) -> check(elements, name, set));
    }

    @SuppressWarnings("unchecked") // words of the type of the elements
    private static <E> List<String> sorted(TextForm<?> words, Set<E> set) {
        return set.stream().map(((TextForm<E>) words).format()).sorted().toList();
    }

    private static <E> void write(ElementForm<E> elements, String name, List<E> list, JsonOut out) {
        out.beginArray(name);
        for (E element : list) elements.writer().write(out, element);
        out.endArray();
    }

    private <E> void check(ElementForm<E> elements, String name, Collection<E> all) throws UnreadableCommand {
        Wire.Least least = component.getAnnotation(Wire.Least.class);
        if (least != null && all.size() < least.value())
            throw new UnreadableCommand("'%s' must not be empty.".formatted(name));
        Limits.most(name, all.size(), Math.toIntExact(most(Integer.MAX_VALUE)));
        for (E element : all) elements.check().check(name, element);
    }

    @SuppressWarnings("unchecked") // each form is that of the class
    private <E> ElementForm<E> elementForm(Class<E> of) {
        if (of == byte[].class)
            return (ElementForm<E>) new ElementForm<byte[]>(JsonOut::raw, JsonFields::raws, (n, e) -> {});
        TextForm<E> words = (TextForm<E>) TextForm.of(of);
        if (words != null) return textElements(words);
        NumberForm<E> numbers = (NumberForm<E>) NumberForm.of(of, component);
        if (numbers != null) return numberElements(numbers);
        return objectElements((ObjectForm<E>) object(of));
    }

    private <E> ElementForm<E> textElements(TextForm<E> words) {
        Wire.Chars chars = component.getAnnotation(Wire.Chars.class);
        MemberForm.Check<String> check = textCheck(chars == null ? Limits.NAME_CHARS : chars.value());
        return new ElementForm<>(
                (out, element) -> out.value(words.format().apply(element)),
                (in, name) -> {
                    List<String> texts = in.texts(name);
                    List<E> elements = new ArrayList<>(texts.size());
                    for (String text : texts) elements.add(words.parser().parse(name, text));
                    return elements;
                },
                (name, element) -> check.check(name, words.format().apply(element)));
    }

    private static <E> ElementForm<E> numberElements(NumberForm<E> numbers) {
        return new ElementForm<>(
                (out, element) -> out.value(numbers.number().applyAsLong(element)),
                (in, name) -> {
                    List<E> elements = new ArrayList<>();
                    for (long number : in.numbers(name)) elements.add(numbers.read(name, number));
                    return elements;
                },
                (name, element) -> {});
    }

    private static <E> ElementForm<E> objectElements(ObjectForm<E> form) {
        return new ElementForm<>(
                (out, element) -> {
                    form.write(element, out.beginObject());
                    out.endObject();
                },
                (in, name) -> {
                    List<E> elements = new ArrayList<>();
                    for (byte[] json : in.raws(name)) elements.add(form.read(JsonFields.of(json)));
                    return elements;
                },
                (name, element) -> form.check(element));
    }
}
