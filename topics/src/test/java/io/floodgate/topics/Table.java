package io.floodgate.topics;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * The examples of a parameterized test, in lines of cells between bars. A test with {@code n} parameters runs with the first
 * {@code n - 1} cells of a line and, one after the other, each cell behind these.
 */
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(Table.Examples.class)
public @interface Table {
    String value();

    final class Examples implements ArgumentsProvider, AnnotationConsumer<Table> {
        private String table = "";

        @Override
        public void accept(Table annotation) {
            table = annotation.value();
        }

        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            int fixed = context.getRequiredTestMethod().getParameterCount() - 1;
            return table.lines().flatMap(line -> {
                String[] cells = line.strip().split("\\s*\\|\\s*", -1);
                return Arrays.stream(cells, fixed, cells.length).map(last -> {
                    String[] arguments = Arrays.copyOf(cells, fixed + 1);
                    arguments[fixed] = last;
                    return Arguments.of((Object[]) arguments);
                });
            });
        }
    }
}
