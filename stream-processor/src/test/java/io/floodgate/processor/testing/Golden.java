package io.floodgate.processor.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Stored values as they were once written, in hexadecimal, under {@code src/test/resources/golden}. What a release has
 * written every later one must read. {@code -Dgolden.write=true} writes files that are missing; none is ever overwritten.
 */
public final class Golden {
    private static final Path DIRECTORY = Path.of("src", "test", "resources", "golden");
    private static final int LINE = 64;

    private Golden() {}

    /** The bytes are those of the file. */
    public static void matches(String name, byte[] value) {
        Path file = file(name);
        try {
            if (!Files.exists(file) && Boolean.getBoolean("golden.write")) {
                Files.createDirectories(DIRECTORY);
                Files.writeString(file, HexFormat.of().formatHex(value).replaceAll("(.{" + LINE + "})", "$1\n") + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(HexFormat.of().formatHex(value))
                .as("what is written today, and %s", file)
                .isEqualTo(HexFormat.of().formatHex(read(name)));
    }

    public static byte[] read(String name) {
        try {
            return HexFormat.of().parseHex(Files.readString(file(name)).replaceAll("\\s", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path file(String name) {
        return DIRECTORY.resolve(name + ".hex");
    }
}
