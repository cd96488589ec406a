package io.floodgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.access.Scope;
import io.floodgate.gateway.http.Route;
import io.floodgate.gateway.memory.MemoryBudget.MemoryClass;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.gateway.system.PartitionOwners;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The list of all routes is made from the table of routes: {@code -Dpages.write=true} writes it. */
class RoutesPageTest extends GatewayFixture {
    private static final Path PAGE = Path.of("../docs/reference/routes.md");

    private static final String INTRODUCTION = """
            # Routes

            All routes of the HTTP API, made from the code; a test checks that this page is up to date. [The HTTP API](http-api.md)
            says what they take and answer.

            - **scope**: what an [API key](../how-to/secure-the-api.md#api-keys) must be for; `-` needs no key.
            - **confined keys**: what a key for some queues or one tenant may do with it: `no`; `queue`, if the path names one of its
              queues; `queues`, with what is about its queues; `jobs`, with its jobs; `tenant`,
              if it is for one tenant and for no queues alone.
            - **body**: the largest body, in KiB.
            - **rejected from**: the [level](../explanation/overload.md#levels) from which the gateway rejects it; `never` for what ends
              work, reads, or makes room. **own memory** marks completions, which have memory of their own.

            | route | scope | confined keys | body | rejected from |
            |---|---|---|---|---|
            """;

    private final List<Route> routes = Api.routes(
            TestApi.config(true, Duration.ZERO),
            logs,
            given.parts,
            QueueTopics.none(given.table),
            PartitionOwners.UNKNOWN,
            FakeSourceTopics.NONE);

    @Test
    void lists_every_route_as_it_is() throws IOException {
        var page = new StringBuilder(INTRODUCTION);
        routes.stream()
                .sorted(Comparator.comparing(Route::path)
                        .thenComparing(route -> route.method().text()))
                .forEach(route -> page.append(row(route)));
        if (Boolean.getBoolean("pages.write")) Files.writeString(PAGE, page);

        assertThat(Files.readString(PAGE)).isEqualTo(page.toString());
    }

    private static String row(Route route) {
        String scope = route.scope() == Scope.PUBLIC ? "-" : lower(route.scope());
        String confined = switch (route.reach()) {
            case SERVER -> route.scope() == Scope.PUBLIC ? "-" : "no";
            case QUEUE, QUEUES, TENANT, JOBS -> lower(route.reach());
        };
        String level = switch (route.importance()) {
            case ALWAYS -> "never";
            case WRITE -> "overflow";
            case NEW_JOBS -> "critical";
        };
        return "| `%s %s` | %s | %s | %d | %s |%n"
                .formatted(
                        route.method().text(),
                        route.path(),
                        scope,
                        confined,
                        route.maxBody() / 1024,
                        route.memoryClass() == MemoryClass.COMPLETION ? level + "; own memory" : level);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
