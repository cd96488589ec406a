package io.floodgate.gateway.http;

import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The fill level of a bounded queue: the figures of a partition, by name, and the headers that show it (OJS
 * backpressure §7).
 */
public record QueueLoad(Map<String, String> figures) {
    private static final HeaderName DEPTH = HeaderNames.create("X-OJS-Queue-Depth");
    private static final HeaderName BOUND = HeaderNames.create("X-OJS-Queue-Bound");
    private static final HeaderName MAX_DEPTH = HeaderNames.create("X-OJS-Queue-Max-Depth");
    private static final HeaderName PRESSURE = HeaderNames.create("X-OJS-Queue-Pressure");
    private static final HeaderName SIZE_BYTES = HeaderNames.create("X-OJS-Queue-Size-Bytes");
    private static final HeaderName MAX_SIZE_BYTES = HeaderNames.create("X-OJS-Queue-Max-Size-Bytes");

    private static final int MOST_DECIMALS = 4;

    public QueueLoad {
        figures = Map.copyOf(figures);
    }

    public static QueueLoad of(Rejection rejection) {
        JsonOut details = JsonOut.object();
        for (Rejection.Detail detail : rejection.details())
            details.fieldRaw(detail.name(), detail.json().getBytes(StandardCharsets.UTF_8));
        return of(new MemberWalk(details.endObject().toBytes()));
    }

    /** Returns the fill level in a line of a reply, if the line has one. */
    public static Optional<QueueLoad> inLine(byte[] line) {
        MemberWalk members = new MemberWalk(line);
        while (members.next()) if (members.nameIs("load")) return Optional.of(of(members.inside()));
        return Optional.empty();
    }

    private static QueueLoad of(MemberWalk members) {
        Map<String, String> figures = new HashMap<>();
        while (members.next()) figures.put(members.name(), members.text());
        return new QueueLoad(figures);
    }

    public String queue() {
        return figures.getOrDefault("queue", "");
    }

    public Optional<String> text(String figure) {
        return Optional.ofNullable(figures.get(figure));
    }

    public OptionalLong number(String figure) {
        String text = figures.get(figure);
        return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
    }

    /** Returns whether producers of the queue should be warned. */
    public boolean isWarning() {
        return "true".equals(figures.get("warning"));
    }

    public double pressure() {
        return Double.parseDouble(figures.getOrDefault("pressure", "0"));
    }

    /** The bound is the one that is reached; where none is, that of the depth before that of the size. */
    public List<Header> headers() {
        String maxSize = figures.get("max_size_bytes");
        String bound = figures.getOrDefault("bound", figures.getOrDefault("max_depth", maxSize == null ? "" : maxSize));
        List<Header> headers = new ArrayList<>();
        add(DEPTH, figures.get("depth"), headers);
        add(BOUND, bound, headers);
        // Of jobs, as the depth beside it: bytes are no number of jobs.
        add(MAX_DEPTH, figures.get("max_depth"), headers);
        String pressure = figures.get("pressure");
        add(PRESSURE, pressure == null ? null : shown(pressure), headers);
        if (maxSize != null) {
            add(SIZE_BYTES, figures.get("size_bytes"), headers);
            add(MAX_SIZE_BYTES, maxSize, headers);
        }
        return headers;
    }

    private static void add(HeaderName name, @Nullable String value, List<Header> headers) {
        if (value != null && !value.isEmpty()) headers.add(HeaderValues.create(name, value));
    }

    /**
     * A pressure from 0.0 to 1.0, as OJS has it, though a queue whose bound was lowered holds more. It is never rounded
     * up, for it must not look full before it is.
     */
    public static String shown(String pressure) {
        BigDecimal shown = new BigDecimal(pressure)
                .max(BigDecimal.ZERO)
                .min(BigDecimal.ONE)
                .setScale(MOST_DECIMALS, RoundingMode.DOWN)
                .stripTrailingZeros();
        return shown.setScale(Math.max(1, shown.scale())).toPlainString();
    }
}
