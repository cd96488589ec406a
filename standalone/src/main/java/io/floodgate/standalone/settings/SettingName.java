package io.floodgate.standalone.settings;

import java.util.Locale;

/** One setting under its three names: {@code --test-mode}, {@code FLOODGATE_TEST_MODE} and {@code test-mode}. */
public record SettingName(String property) {
    private static final String ENVIRONMENT_PREFIX = "FLOODGATE_";

    /** Returns the name of a setting from the longest name of its option. */
    public static SettingName ofFlag(String flag) {
        return new SettingName(flag.replaceFirst("^--?", ""));
    }

    public String flag() {
        return "--" + property;
    }

    public String variable() {
        return ENVIRONMENT_PREFIX + property.replace('-', '_').replace('.', '_').toUpperCase(Locale.ROOT);
    }
}
