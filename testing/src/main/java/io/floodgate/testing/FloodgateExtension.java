package io.floodgate.testing;

import io.floodgate.standalone.EmbeddedFloodgate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test a {@link TestFloodgate}, or an {@link InMemoryFloodgate}, which needs no server. The server is started in this process when the first test asks for it, serves all
 * tests of the process, and stops after the last one. Each test has queues of its own, so tests may run at the same time.
 *
 * <pre>{@code
 * @ExtendWith(FloodgateExtension.class)
 * class EmailJobsTest {
 *     @Test
 *     void sends_an_email(TestFloodgate floodgate) {
 *         floodgate.start(floodgate.worker("email").handle("email.send", new SendEmail()));
 *
 *         String job = floodgate.enqueue("email", "email.send", "ada@example.com");
 *
 *         assertThat(floodgate.awaitCompleted(job).at("/result/sent").asBoolean()).isTrue();
 *     }
 * }
 * }</pre>
 */
public final class FloodgateExtension implements ParameterResolver {
    private static final Namespace OURS = Namespace.create(FloodgateExtension.class);

    /** What a constructor gets is that of one test, too. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == TestFloodgate.class || type == InMemoryFloodgate.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (parameter.getParameter().getType() == InMemoryFloodgate.class)
            return context.getStore(OURS)
                    .getOrComputeIfAbsent(
                            InMemoryFloodgate.class, key -> new InMemoryFloodgate(), InMemoryFloodgate.class);
        SharedServer shared = context.getRoot()
                .getStore(OURS)
                .getOrComputeIfAbsent(SharedServer.class, key -> SharedServer.start(), SharedServer.class);
        return context.getStore(OURS)
                .getOrComputeIfAbsent(
                        TestFloodgate.class,
                        key -> new TestFloodgate(shared.server.http(), shared.server.bootstrap()),
                        TestFloodgate.class);
    }

    /** One for all tests, on data of its own that goes with it. JUnit closes what is in its stores. */
    private record SharedServer(EmbeddedFloodgate server, Path data) implements AutoCloseable {
        private static SharedServer start() {
            try {
                Path data = Files.createTempDirectory("floodgate-testing-");
                return new SharedServer(EmbeddedFloodgate.start(data), data);
            } catch (IOException e) {
                throw new UncheckedIOException("there is no directory for the data of Floodgate", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while Floodgate was starting", e);
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
            List<Path> lastFirst;
            try (Stream<Path> found = Files.walk(data)) {
                lastFirst = found.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path path : lastFirst) Files.deleteIfExists(path);
        }
    }
}
