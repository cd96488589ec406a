package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.standalone.settings.SettingSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SettingsPageTest {
    private static final Path PAGE = Path.of("../docs/reference/configuration.md");

    @Test
    void the_documentation_lists_every_setting_as_it_is() throws IOException {
        var floodgate = Floodgate.commandLine(new SettingSource(Map.of(), Map.of()));

        assertThat(Files.readString(PAGE))
                .as("update it with: ./floodgate settings > docs/reference/configuration.md")
                .isEqualTo(SettingsPage.render(floodgate));
    }
}
