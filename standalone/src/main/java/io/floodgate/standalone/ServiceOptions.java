package io.floodgate.standalone;

import io.floodgate.gateway.GatewayConfig.Services;
import io.floodgate.gateway.schema.SubjectRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for services of the team's own that the gateway knows. */
final class ServiceOptions {
    @Option(
            names = "--codec-server",
            paramLabel = "URL",
            description = "A codec server of yours, such as https://codec.example, which the console's readers have"
                    + " encrypted arguments decoded by. Their browsers ask it, never this server.")
    @Nullable
    URI codecServer;

    @Option(
            names = "--schema-registry",
            paramLabel = "URL",
            description = "A registry of schemas of yours that speaks as Confluent's does, such as"
                    + " https://registry.example. Schemas are copied from it when they are registered by subject.")
    @Nullable
    URI schemaRegistry;

    @Option(
            names = "--schema-registry-login",
            paramLabel = "FILE",
            description = "File with USER:PASSWORD, or a bearer token, for --schema-registry. Read for each schema.")
    @Nullable
    Path schemaRegistryLogin;

    Services services() {
        if (schemaRegistryLogin != null && schemaRegistry == null)
            throw new CommandErrors.Rejection("--schema-registry-login needs --schema-registry, the registry's URL");
        return new Services(
                url("--codec-server", codecServer),
                url("--schema-registry", schemaRegistry)
                        .map(url -> new SubjectRegistry.Settings(url, Optional.ofNullable(schemaRegistryLogin))));
    }

    private static Optional<URI> url(String option, @Nullable URI url) {
        if (url == null) return Optional.empty();
        boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        if (!isHttp || url.getHost() == null || url.getRawUserInfo() != null || url.getRawQuery() != null)
            throw new CommandErrors.Rejection(
                    option + " must be an http:// or https:// URL without user and query, not " + url);
        return Optional.of(url);
    }
}
