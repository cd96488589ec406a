package io.floodgate.standalone.settings;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The settings of the environment and of the properties file, the environment first. */
public final class SettingSource {
    private final Map<String, String> environment;
    private final Map<String, String> file;

    public SettingSource(Map<String, String> environment, Map<String, String> file) {
        this.environment = Map.copyOf(ServiceLinks.without(environment));
        this.file = Map.copyOf(file);
    }

    public Optional<String> valueOf(SettingName name) {
        return Optional.ofNullable(environment.get(name.variable()))
                .or(() -> Optional.ofNullable(file.get(name.property())));
    }

    /**
     * The properties passed through to Kafka under a prefix: {@code kafka.ssl.truststore.location} in the file is
     * {@code FLOODGATE_KAFKA_SSL_TRUSTSTORE_LOCATION} in the environment, and {@code ssl.truststore.location} here.
     */
    public Map<String, String> startingWith(String prefix) {
        var found = new TreeMap<String, String>();
        file.forEach((property, value) -> {
            if (property.startsWith(prefix + ".")) {
                found.put(property.substring(prefix.length() + 1), value);
            }
        });
        var variablePrefix = new SettingName(prefix).variable() + "_";
        environment.forEach((variable, value) -> {
            if (variable.startsWith(variablePrefix)) {
                var property = variable.substring(variablePrefix.length());
                found.put(property.toLowerCase(Locale.ROOT).replace('_', '.'), value);
            }
        });
        return found;
    }
}
