package io.floodgate.gateway.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.http.BundledFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Properties;
import java.util.regex.Pattern;

/** Files of the repository that the site is made of, and those that it is made with, from the class path. */
final class SiteSources {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]+(/[A-Za-z0-9-]+)*\\.(md|png)");
    private static final Properties SETTINGS = settings();

    private SiteSources() {}

    static boolean exists(String source) {
        return NAME.matcher(source).matches() && SiteSources.class.getResource("pages/" + source) != null;
    }

    static String text(String source) {
        return new String(read("pages/" + source), UTF_8);
    }

    /** A file beside the pages, or one of their images. */
    static byte[] read(String name) {
        return BundledFile.read(SiteSources.class, name);
    }

    private static Properties settings() {
        Properties settings = new Properties();
        try (InputStream file = new ByteArrayInputStream(read("site.properties"))) {
            settings.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return settings;
    }

    /** Where the repository is hosted. */
    static String repository() {
        return SETTINGS.getProperty("repository", "");
    }

    static String version() {
        return SETTINGS.getProperty("version", "");
    }

    /** The name of a file that is linked from another one; links leave out what they share. */
    static String resolved(String from, String link) {
        return URI.create("/" + from).resolve(link).getPath().replaceFirst("^/", "");
    }
}
