package io.floodgate.processor.kernel;

import io.floodgate.topics.command.Command;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Maps commands to the rules that execute them: each feature of a partition registers its own. */
public final class Handlers {
    private final Map<Class<?>, Consumer<Command>> byType = new LinkedHashMap<>();

    public <C extends Command> void on(Class<C> type, Consumer<? super C> rule) {
        if (byType.put(type, command -> rule.accept(type.cast(command))) != null)
            throw new IllegalStateException("two rules for " + type.getSimpleName());
    }

    /** One rule for all commands of a family. */
    public <C extends Command> void onEach(Class<C> family, Consumer<? super C> rule) {
        if (!family.isSealed()) {
            on(family, rule);
            return;
        }
        for (Class<?> type : family.getPermittedSubclasses()) onEach(type.asSubclass(family), rule);
    }

    public boolean has(Class<? extends Command> type) {
        return byType.containsKey(type);
    }

    public void carryOut(Command command) {
        Consumer<Command> rule = byType.get(command.getClass());
        if (rule == null)
            throw new IllegalStateException("no rule for " + command.getClass().getSimpleName());
        rule.accept(command);
    }
}
