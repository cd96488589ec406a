package io.floodgate.standalone.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/** The properties file. It is named before anything else is read, because it may say all the rest. */
public final class SettingsFile {
    public static final SettingName NAME = new SettingName("config");

    private SettingsFile() {}

    /** The file that the arguments name, else the environment; what it says, or nothing. */
    public static Map<String, String> read(List<String> arguments, Map<String, String> environment) {
        return named(arguments)
                .or(() -> Optional.ofNullable(environment.get(NAME.variable())))
                .map(file -> read(Path.of(file)))
                .orElse(Map.of());
    }

    private static Optional<String> named(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            var argument = arguments.get(i);
            if (argument.startsWith(NAME.flag() + "=")) {
                return Optional.of(argument.substring(NAME.flag().length() + 1));
            }
            if (argument.equals(NAME.flag()) && i + 1 < arguments.size()) {
                return Optional.of(arguments.get(i + 1));
            }
        }
        return Optional.empty();
    }

    private static Map<String, String> read(Path file) {
        var properties = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the settings in " + file, e);
        }
        var settings = new TreeMap<String, String>();
        properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name)));
        return settings;
    }
}
