package io.floodgate.spring.test;

import io.floodgate.standalone.EmbeddedFloodgate;
import io.floodgate.testing.TestFloodgate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/** Makes the contexts of tests with {@link FloodgateTest}. */
final class FloodgateCustomizerFactory implements ContextCustomizerFactory {
    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> test, List<ContextConfigurationAttributes> attributes) {
        return AnnotatedElementUtils.hasAnnotation(test, FloodgateTest.class) ? new Customizer() : null;
    }

    /** All are equal, so that tests share contexts. */
    private record Customizer() implements ContextCustomizer {
        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration config) {
            EmbeddedFloodgate server = Shared.SERVER;
            Map<String, Object> properties = Map.of(
                    "floodgate.bootstrap-servers", server.bootstrap(),
                    "floodgate.url", server.http().toString());
            context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("floodgate", properties));
            context.getBeanFactory()
                    .registerSingleton("testFloodgate", new TestFloodgate(server.http(), server.bootstrap()));
        }
    }

    /** The server of all tests of the process, started by the first of them. */
    private static final class Shared {
        private static final EmbeddedFloodgate SERVER = start();

        private static EmbeddedFloodgate start() {
            try {
                EmbeddedFloodgate server = EmbeddedFloodgate.start(Files.createTempDirectory("floodgate-testing-"));
                Runtime.getRuntime().addShutdownHook(new Thread(server::close));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException("there is no directory for the data of Floodgate", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while Floodgate was starting", e);
            }
        }
    }
}
