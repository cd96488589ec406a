package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A TypeScript client is generated from the OpenAPI document of a running server, compiled, and runs the README's first example.
 * It needs Node.js, and fetches the generator from npm: it is in the long lane.
 */
@Tag("server")
final class GeneratedClientTest {
    private static final List<String> PACKAGES =
            List.of("openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3");
    private static final String EXAMPLE = "first-example.ts";

    private final Running running = new Running();

    private static boolean isThere(String command) {
        return List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, command)));
    }

    private static String run(Path directory, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as("%s: %s", List.of(command), out).isZero();
        return out;
    }

    @Test
    @Tag("long")
    @EnabledIfSystemProperty(
            named = "client.generate",
            matches = "true",
            disabledReason = "only in the long lane: it takes packages from npm")
    void a_client_generated_from_the_document_runs_the_first_example(@TempDir Path data, @TempDir Path project)
            throws Exception {
        assumeTrue(isThere("npm") && isThere("node"), "Node.js is not installed");
        try {
            int port = Standalone.start(StandaloneConfig.in(data), running).port();
            Files.writeString(project.resolve("package.json"), "{\"type\":\"module\"}");
            Files.writeString(project.resolve("openapi.json"), new HttpApi(port).text("/ojs/v1/openapi.json"));
            try (InputStream example = GeneratedClientTest.class.getResourceAsStream("/openapi/" + EXAMPLE)) {
                Files.copy(example, project.resolve(EXAMPLE));
            }
            run(project, "npm", "install", "--silent", "--no-fund", PACKAGES.get(0), PACKAGES.get(1), PACKAGES.get(2));
            run(project, "node_modules/.bin/openapi-typescript", "openapi.json", "-o", "api.ts");
            run(
                    project,
                    "node_modules/.bin/tsc",
                    "--module",
                    "nodenext",
                    "--target",
                    "es2022",
                    "--lib",
                    "es2022,dom",
                    "--strict",
                    "--skipLibCheck",
                    EXAMPLE);

            assertThat(run(project, "node", "first-example.js", "http://127.0.0.1:" + port))
                    .isEqualToIgnoringWhitespace("completed");
        } finally {
            running.close();
        }
    }
}
