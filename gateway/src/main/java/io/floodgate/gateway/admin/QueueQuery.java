package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.queue.QueueRow;
import io.floodgate.gateway.queue.QueueRow.Sign;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The selection and order of a list of queues.
 *
 * @param text what their names have in them; empty for all
 * @param sign what is to be seen of them; null for all
 * @param suspect only those that have a sign of a problem
 * @param descending the highest figure first
 */
record QueueQuery(String text, @Nullable Sign sign, boolean suspect, String sort, boolean descending) {
    private static final List<String> PARAMETERS = List.of("q", "show", "sort", "order", "view");
    private static final List<String> SORTS =
            List.of("name", "depth", "pressure", "oldest", "failed", "in", "out", "available", "dead");

    static boolean isMeant(Call call) {
        return PARAMETERS.stream().anyMatch(name -> call.query(name).isPresent());
    }

    static QueueQuery of(Call call) throws RejectedException {
        oneOf("view", call.query("view").orElse("row"), List.of("row"));
        String show = oneOf(
                "show",
                call.query("show").orElse("all"),
                Stream.concat(
                                Stream.of("all", "suspect"),
                                Stream.of(Sign.values()).map(Sign::wire))
                        .toList());
        String sort = oneOf("sort", call.query("sort").orElse("name"), SORTS);
        String usual = sort.equals("name") ? "asc" : "desc";
        String order = oneOf("order", call.query("order").orElse(usual), List.of("asc", "desc"));
        Sign sign = show.equals("all") || show.equals("suspect") ? null : Sign.valueOf(show.toUpperCase(Locale.ROOT));
        String text = call.query("q").orElse("").strip().toLowerCase(Locale.ROOT);
        return new QueueQuery(text, sign, show.equals("suspect"), sort, order.equals("desc"));
    }

    private static String oneOf(String name, String value, List<String> known) throws RejectedException {
        if (known.contains(value)) return value;
        throw RequestFields.wrong(
                name,
                "The query parameter '%s' cannot be '%s'; it can be %s."
                        .formatted(name, Limits.echo(value), String.join(", ", known)));
    }

    boolean lets(QueueRow row, Instant now) {
        if (!row.name().contains(text)) return false;
        if (sign != null) return (row.signBits(now.toEpochMilli()) & sign.bit()) != 0;
        return !suspect || Sign.isSuspect(row.signBits(now.toEpochMilli()));
    }

    Comparator<QueueRow> order(Instant now) {
        Comparator<QueueRow> byName = Comparator.comparing(QueueRow::name);
        Comparator<QueueRow> order =
                sort.equals("name") ? byName : Comparator.comparingDouble(figure(now.toEpochMilli()));
        Comparator<QueueRow> among =
                Comparator.comparingLong(QueueRow::depth).reversed().thenComparing(byName);
        return (descending ? order.reversed() : order).thenComparing(among);
    }

    /** The first of a list in an order; of 100,000 queues, those of one page are sorted. */
    static List<QueueRow> first(List<QueueRow> rows, Comparator<QueueRow> order, int most) {
        PriorityQueue<QueueRow> first = new PriorityQueue<>(order.reversed());
        for (QueueRow row : rows) {
            if (first.size() < most) first.add(row);
            else if (most > 0 && order.compare(row, first.element()) < 0) {
                first.remove();
                first.add(row);
            }
        }
        return first.stream().sorted(order).toList();
    }

    private ToDoubleFunction<QueueRow> figure(long now) {
        return switch (sort) {
            case "depth" -> QueueRow::depth;
            case "pressure" -> QueueRow::pressure;
            case "oldest" -> row -> row.oldestAge(now);
            case "failed" -> QueueRow::failedShare;
            case "in" -> row -> row.fills(now);
            case "out" -> row -> row.drains(now);
            default -> row -> row.jobs(sort);
        };
    }
}
