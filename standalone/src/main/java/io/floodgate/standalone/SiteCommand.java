package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.docs.Site;
import io.floodgate.standalone.settings.NoSettings;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes the documentation as files for any web server. Gateways serve the same pages. */
@Command(
        name = "site",
        description =
                "Writes the documentation of this version as a site of static files. Gateways serve it at /docs/.")
final class SiteCommand implements Callable<Integer>, NoSettings {
    private static final String VERSIONS = "versions.json";
    private static final String VERSION = "[1-9][0-9]*(\\.[0-9]+)*|0(\\.[0-9]+)+";

    @Option(
            names = "--output",
            required = true,
            paramLabel = "DIR",
            description = "Directory for the files. Files that are there are replaced.")
    Path output = Path.of("site");

    @Option(
            names = "--versioned",
            description = "Writes into a directory of --output that is named after the version, lists all versions that"
                    + " are there in " + VERSIONS + ", and makes the index lead to the newest one.")
    boolean versioned;

    @Override
    public Integer call() {
        try {
            Path directory = versioned ? output.resolve(Site.version()) : output;
            Site site = new Site(versioned);
            for (String path : site.paths())
                write(directory.resolve(path), site.at(path).orElseThrow());
            if (versioned) listVersions();
            System.out.println(directory.resolve(Site.INDEX));
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the site to %s".formatted(output), e);
        }
    }

    private void listVersions() throws IOException {
        JsonOut list = new JsonOut().beginArray();
        List<String> versions = versions();
        versions.forEach(list::value);
        write(output.resolve(VERSIONS), list.endArray().toBytes());
        String newest = versions.getFirst();
        String index = "<!doctype html><meta charset=\"utf-8\"><title>Floodgate</title>"
                + "<meta http-equiv=\"refresh\" content=\"0; url=%1$s/%2$s\"><a href=\"%1$s/%2$s\">Floodgate %1$s</a>\n"
                        .formatted(newest, Site.INDEX);
        write(output.resolve(Site.INDEX), index.getBytes(UTF_8));
    }

    /** The newest first. */
    private List<String> versions() throws IOException {
        try (Stream<Path> files = Files.list(output)) {
            return files.filter(file -> Files.exists(file.resolve(Site.INDEX)))
                    .map(file -> Objects.toString(file.getFileName()))
                    .filter(name -> name.matches(VERSION))
                    .sorted(Collections.reverseOrder(SiteCommand::compare))
                    .toList();
        }
    }

    private static int compare(String one, String other) {
        return Arrays.compare(numbers(one), numbers(other));
    }

    private static int[] numbers(String version) {
        return Stream.of(version.split("\\.", -1)).mapToInt(Integer::parseInt).toArray();
    }

    private static void write(Path file, byte[] content) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, content);
    }
}
