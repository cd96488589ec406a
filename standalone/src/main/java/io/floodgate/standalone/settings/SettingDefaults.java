package io.floodgate.standalone.settings;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Lets every option that is not given as a flag take its value from the {@link SettingSource}. */
public final class SettingDefaults implements IDefaultValueProvider {
    private final SettingSource source;

    public SettingDefaults(SettingSource source) {
        this.source = source;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        // Pass-through options are maps: they are merged property by property, not replaced as a whole.
        if (!(argument instanceof OptionSpec option) || option.typeInfo().isMap() || option.usageHelp()) {
            return null;
        }
        return source.valueOf(SettingName.ofFlag(option.longestName())).orElse(null);
    }
}
