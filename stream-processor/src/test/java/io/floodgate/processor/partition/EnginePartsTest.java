package io.floodgate.processor.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.testing.State;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.CommandType;
import io.floodgate.topics.command.CommandTypes;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** That nothing of a partition's state machine is forgotten where all of it is listed. */
class EnginePartsTest {
    private final List<Object> objects =
            reachable(new PartitionEngine(PartitionId.parse("ojs.commands/0"), new Routing(1), new State().stores()));

    @Test
    void every_entity_is_in_a_list_of_entities() {
        Set<Object> listed = identities();
        for (Object object : objects)
            if (object instanceof List<?> list)
                for (Object element : list) if (element instanceof Entity) listed.add(element);

        Set<String> forgotten = new TreeSet<>();
        for (Object object : objects)
            if (object instanceof Entity && !listed.contains(object))
                forgotten.add(object.getClass().getSimpleName());

        assertEquals(Set.of(), forgotten, "are not loaded, saved and rolled back with the others");
    }

    /** What they do at the end of a step, or when it is taken back, is called for those in the list, and for nothing else. */
    @Test
    void who_has_a_hook_is_an_entity() {
        Set<String> hooks = Set.of("rollBack", "forgetStep", "endStep", "settingsChanged");
        Set<String> others = new TreeSet<>();
        for (Object object : objects) {
            if (object instanceof Entity) continue;
            for (var method : object.getClass().getDeclaredMethods())
                if (hooks.contains(method.getName()) && method.getParameterCount() == 0)
                    others.add(object.getClass().getSimpleName());
        }

        // Entities consist of these, and call them.
        others.removeAll(Set.of("Undo", "LimitStore", "Steps", "LimitMemory", "DroppedJobs", "OwnerNotes"));
        assertEquals(Set.of(), others);
    }

    @Test
    void every_command_has_a_rule() {
        Handlers handlers = objects.stream()
                .filter(Handlers.class::isInstance)
                .map(Handlers.class::cast)
                .findFirst()
                .orElseThrow();

        List<String> without = CommandTypes.all().stream()
                .filter(row -> !handlers.has(row.type()))
                .map(CommandType::toString)
                .sorted()
                .toList();

        assertEquals(List.of(), without);
    }

    private static Set<Object> identities() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    /** All objects of ours, and collections, that the engine consists of. */
    private static List<Object> reachable(Object root) {
        Set<Object> seen = identities();
        Deque<Object> left = new ArrayDeque<>(List.of(root));
        List<Object> all = new ArrayList<>();
        while (!left.isEmpty()) {
            Object object = left.pop();
            if (!seen.add(object)) continue;
            all.add(object);
            if (object instanceof Collection<?> some)
                left.addAll(some.stream().filter(x -> x != null).toList());
            else if (object instanceof Map<?, ?> map) left.addAll(map.values());
            else if (object.getClass().getName().startsWith("io.floodgate.processor")) fields(object, left);
        }
        return all;
    }

    private static void fields(Object object, Deque<Object> into) {
        // What a lambda refers to is the state of some part, too.
        for (Class<?> type = object.getClass(); type != Object.class; type = type.getSuperclass())
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) continue;
                Object value = read(field, object);
                if (value != null) into.push(value);
            }
    }

    private static Object read(Field field, Object object) {
        try {
            field.setAccessible(true);
            return field.get(object);
        } catch (ReflectiveOperationException | RuntimeException hidden) {
            return null;
        }
    }
}
