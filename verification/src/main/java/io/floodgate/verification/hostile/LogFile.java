package io.floodgate.verification.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What a process says, as it comes. */
final class LogFile {
    private static final Pattern ERROR = Pattern.compile("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} ERROR (i\\.f\\.|.*streams).*");
    private static final int LONGEST_LINE = 300;

    private final Path log;
    private long read;

    LogFile(Path log) {
        this.log = log;
    }

    /** The lines since the last time, each cut to a length that can be shown. */
    List<String> more() throws IOException {
        if (!Files.exists(log)) return List.of();
        try (InputStream in = Files.newInputStream(log)) {
            in.skipNBytes(read);
            byte[] more = in.readAllBytes();
            int end = more.length;
            while (end > 0 && more[end - 1] != '\n') end--;
            read += end;
            List<String> lines = new ArrayList<>();
            for (String line : new String(more, 0, end, StandardCharsets.UTF_8).split("\n", -1))
                lines.add(line.substring(0, Math.min(line.length(), LONGEST_LINE)));
            return lines;
        }
    }

    /** Of ours, or of the stream threads: a broker that starts after {@code kill -9} complains of itself. */
    static boolean isError(String line) {
        return ERROR.matcher(line).matches();
    }

    /** Of a stream thread, or of the whole. */
    static boolean isDeath(String line) {
        return line.contains("stream thread died") || line.contains("OutOfMemoryError");
    }
}
