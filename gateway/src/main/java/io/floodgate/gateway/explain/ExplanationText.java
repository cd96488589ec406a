package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Advice.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** An explanation as text for a terminal, 80 columns wide, or as Markdown for the notes of an incident. */
final class ExplanationText {
    private static final int WIDTH = 80;
    private static final String INDENT = "  ";

    private final Explanation explanation;
    private final boolean markdown;
    private final StringBuilder out = new StringBuilder();

    private ExplanationText(Explanation explanation, boolean markdown) {
        this.explanation = explanation;
        this.markdown = markdown;
    }

    static String plain(Explanation explanation) {
        return new ExplanationText(explanation, false).write();
    }

    static String markdown(Explanation explanation) {
        return new ExplanationText(explanation, true).write();
    }

    private String write() {
        Finding verdict = explanation.verdict();
        String head = "%s: %s".formatted(verdict.severity().name(), verdict.title());
        if (markdown) line("## " + escaped(head));
        else wrapped("", "", head);
        paragraph(verdict.text());
        if (verdict.since() != null) paragraph("Since %s.".formatted(ago(verdict.since())));
        advice(verdict);
        evidence("Evidence", verdict.evidence());
        also(explanation.findings().subList(1, explanation.findings().size()));
        evidence("Figures", explanation.figures());
        explanation.who().values().forEach((name, value) -> list(words(name), value));
        String source = "As of %s, from %s. Code: %s.%s"
                .formatted(
                        Words.time(explanation.asOf(), explanation.asOf()),
                        explanation.from(),
                        verdict.code().wire(),
                        explanation.exact() ? "" : " These figures are old: the partition does not answer.");
        paragraph(source);
        if (!explanation.notKnown().isEmpty())
            paragraph("Not known: %s.".formatted(String.join(", ", explanation.notKnown())));
        return out.toString();
    }

    private void advice(Finding finding) {
        if (finding.advice().isEmpty()) return;
        title("What to do");
        int number = 1;
        for (Advice advice : finding.advice()) {
            item(number++ + ". ", advice.text());
            Action action = advice.action();
            if (action != null) request(action);
            if (advice.docs() != null) wrapped("     ", "     ", "See " + advice.docs());
        }
    }

    /** On a line of its own however long it is: it is to be copied. */
    private void request(Action action) {
        String body = action.body() == null ? "" : " " + action.body();
        String request = "%s %s%s".formatted(action.method(), action.path(), body);
        line("     " + (markdown ? "`" + request + "`" : request));
    }

    private void also(List<Finding> more) {
        if (more.isEmpty()) return;
        title("Also");
        for (Finding finding : more) {
            item(
                    "- ",
                    "%s: %s. [%s]"
                            .formatted(
                                    finding.severity().name(),
                                    finding.title(),
                                    finding.code().wire()));
            for (Advice advice : finding.advice()) {
                if (advice.action() == null) continue;
                request(advice.action());
                break;
            }
        }
    }

    /** Single values as a table, lists after it. */
    private void evidence(String title, Evidence evidence) {
        List<Map.Entry<String, Object>> single = new ArrayList<>();
        List<Map.Entry<String, Object>> lists = new ArrayList<>();
        for (Map.Entry<String, Object> entry : evidence.values().entrySet()) {
            boolean isList = entry.getValue() instanceof List<?> || entry.getValue() instanceof Evidence;
            (isList ? lists : single).add(entry);
        }
        if (!single.isEmpty()) {
            title(title);
            int width = single.stream()
                    .mapToInt(entry -> words(entry.getKey()).length())
                    .max()
                    .orElse(0);
            for (Map.Entry<String, Object> entry : single) {
                String name = words(entry.getKey());
                String value = shown(entry.getKey(), entry.getValue());
                if (markdown) line("- %s: %s".formatted(name, escaped(value)));
                else
                    wrapped(
                            INDENT + name + " ".repeat(width - name.length() + 2),
                            INDENT + " ".repeat(width + 2),
                            value);
            }
        }
        for (Map.Entry<String, Object> entry : lists) list(words(entry.getKey()), entry.getValue());
    }

    private void list(String name, Object value) {
        List<?> elements = switch (value) {
            case List<?> list -> list;
            case Evidence inside when inside.values().get("first") instanceof List<?> first -> first;
            default -> List.of(value);
        };
        if (elements.isEmpty()) return;
        Object count = value instanceof Evidence inside ? inside.values().get("count") : null;
        String counted = count == null ? "" : " (%s)".formatted(count);
        title(Words.capital(name) + counted);
        for (Object element : elements) item("- ", element(element));
    }

    private String element(Object element) {
        if (!(element instanceof Evidence one)) return shown("", element);
        List<String> parts = new ArrayList<>();
        one.values().forEach((name, value) -> parts.add(words(name) + " " + shown(name, value)));
        return String.join(", ", parts);
    }

    private String shown(String name, Object value) {
        return switch (value) {
            case Instant time -> ago(time);
            case Double number when name.endsWith("per_second") -> Words.rate(number);
            case Double number -> String.format(Locale.ROOT, "%.2f", number);
            case Number number when name.endsWith("_bytes") -> Words.bytes(number.longValue());
            case Number number when name.endsWith("_ms") -> Words.duration(Duration.ofMillis(number.longValue()));
            case Number number when name.endsWith("_seconds") -> Words.duration(Duration.ofSeconds(number.longValue()));
            case Number number -> Words.number(number.longValue());
            case Boolean truth -> truth ? "yes" : "no";
            case List<?> list ->
                String.join(", ", list.stream().map(this::element).toList());
            case Evidence inside -> element(inside);
            default -> value.toString();
        };
    }

    private String ago(Instant time) {
        Instant now = explanation.asOf();
        Duration passed = Duration.between(time, now);
        String shown = Words.time(time, now);
        return passed.isNegative()
                ? "%s (in %s)".formatted(shown, Words.duration(passed.negated()))
                : "%s (%s ago)".formatted(shown, Words.duration(passed));
    }

    private static String words(String name) {
        String words = name.endsWith("_per_second") ? name.substring(0, name.length() - "_per_second".length()) : name;
        for (String unit : List.of("_ms", "_seconds"))
            if (words.endsWith(unit)) words = words.substring(0, words.length() - unit.length());
        return words.replace('_', ' ');
    }

    // ---- lines

    private void title(String title) {
        out.append('\n');
        line(markdown ? "**%s**\n".formatted(title) : title);
    }

    private void paragraph(String text) {
        if (text.isEmpty()) return;
        out.append('\n');
        if (markdown) line(escaped(text));
        else wrapped("", "", text);
    }

    private void item(String mark, String text) {
        if (markdown) line(mark + escaped(text));
        else wrapped(INDENT + mark, INDENT + " ".repeat(mark.length()), text);
    }

    /** What users wrote must not become a heading or a link. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ("\\`*_[]<>#|".indexOf(c) >= 0) escaped.append('\\');
            escaped.append(Character.isISOControl(c) ? ' ' : c);
        }
        return escaped.toString();
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private void wrapped(String first, String next, String text) {
        StringBuilder line = new StringBuilder(first);
        boolean isEmpty = true;
        for (String word : printable(text).split(" ", -1)) {
            if (!isEmpty && line.length() + 1 + word.length() > WIDTH) {
                line(line.toString());
                line = new StringBuilder(next);
                isEmpty = true;
            }
            if (!isEmpty) line.append(' ');
            line.append(word);
            isEmpty = false;
        }
        line(line.toString().stripTrailing());
    }

    /** A name or a message that users chose must not move the cursor of a terminal. */
    private static String printable(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isHidden = Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
            printable.append(isHidden ? ' ' : c);
        }
        return printable.toString();
    }
}
