package io.floodgate.gateway.explain;

import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * Why something stands as it does, and what to do: the value that the API, the command line and a console show alike.
 *
 * @param asOf of when the figures are
 * @param exact whether the partition itself has just said so; if not, no action is advised
 * @param from where the figures come from
 * @param findings all that are true, the worst first: the first is the verdict
 * @param who lists of those concerned, of a bounded length
 * @param notKnown what could not be found out
 */
record Explanation(
        Subject subject,
        Instant asOf,
        boolean exact,
        String from,
        List<Finding> findings,
        Evidence figures,
        Evidence who,
        List<String> notKnown) {
    /** @param kind as {@code queue} */
    record Subject(String kind, String name) {
        void write(JsonOut out) {
            out.beginObject().field("kind", kind).field("name", name).endObject();
        }
    }

    private static final Comparator<Finding> WORST_FIRST = Comparator.comparing(Finding::severity)
            .reversed()
            .thenComparingInt(finding -> finding.code().ordinal());

    Explanation {
        if (findings.isEmpty()) throw new IllegalArgumentException("no verdict for " + subject);
        findings = findings.stream().sorted(WORST_FIRST).toList();
        boolean acts = findings.stream()
                .flatMap(finding -> finding.advice().stream())
                .anyMatch(advice -> advice.action() != null);
        if (acts && !exact) throw new IllegalArgumentException("an action by old figures, for " + subject);
        notKnown = List.copyOf(notKnown);
    }

    /** By what its partitions have just said. */
    static Explanation of(
            Subject subject, Instant now, String from, List<Finding> findings, Evidence figures, Evidence who) {
        return new Explanation(subject, now, true, from, findings, figures, who, List.of());
    }

    /** Of something of which nothing is known but this. */
    static Explanation unknown(Subject subject, Finding finding, Instant now, String from) {
        return of(subject, now, from, List.of(finding), new Evidence(), new Evidence());
    }

    static Explanation unknown(String kind, String name, FindingCode code, Instant now, String from) {
        return unknown(new Subject(kind, name), code.finding(FindingFacts.named(name, now)), now, from);
    }

    Finding verdict() {
        return findings.getFirst();
    }

    JsonOut json() {
        JsonOut out = JsonOut.object(4_096);
        subject.write(out.name("subject"));
        out.field("as_of", asOf).field("exact", exact).field("from", from);
        verdict().writeHead(out.beginObject("verdict"));
        out.endObject().beginArray("findings");
        findings.forEach(finding -> finding.write(out));
        out.endArray();
        figures.write(out.name("figures"));
        who.write(out.name("who"));
        return out.field("not_known", notKnown).endObject();
    }
}
