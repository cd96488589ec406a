package io.floodgate.gateway.explain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A rule of the explanations that is broken on purpose: one place of its source says something else.
 *
 * @param what the rule that holds no longer
 * @param code what is found wrongly; the method of the test that has to notice it has this name
 * @param test the class of that test
 * @param rule the class that has the rule
 * @param sound what its source says once
 * @param broken what it says instead
 */
record BrokenRule(String what, FindingCode code, Class<?> test, Class<?> rule, String sound, String broken) {
    /** The methods of the test that fail with it, each with what it throws. */
    Map<String, Throwable> failures() throws ReflectiveOperationException {
        Class<?> loaded = new BrokenRuleLoader(rule.getName(), source()).loadClass(test.getName());
        Map<String, Throwable> failures = new TreeMap<>();
        for (Method method : loaded.getDeclaredMethods()) {
            if (!method.isAnnotationPresent(Test.class)) continue;
            var constructor = loaded.getDeclaredConstructor();
            constructor.setAccessible(true);
            method.setAccessible(true);
            try {
                method.invoke(constructor.newInstance());
            } catch (InvocationTargetException failed) {
                failures.put(method.getName(), failed.getCause());
            }
        }
        return failures;
    }

    private String source() {
        String text;
        try {
            text = Files.readString(Path.of("src/main/java", rule.getName().replace('.', '/') + ".java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (text.split(Pattern.quote(sound), -1).length != 2)
            throw new AssertionError("'%s' is not exactly once in %s: change the mutant '%s'"
                    .formatted(sound, rule.getSimpleName(), what));
        return text.replace(sound, broken);
    }

    @Override
    public String toString() {
        return code.wire() + ": " + what;
    }
}
