package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Acked;
import io.floodgate.verification.history.Step.Enqueued;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** What the checks say about a history. */
public record Verdict(History history, List<Finding> findings) {
    private static final int SHOWN = 5;

    public record Finding(String claim, List<Violation> violations) {
        public Finding {
            violations = List.copyOf(violations);
        }

        boolean holds() {
            return violations.isEmpty();
        }
    }

    public Verdict {
        findings = List.copyOf(findings);
    }

    public static Verdict of(History history) {
        List<Finding> findings = new ArrayList<>();
        for (Check check : Check.all()) findings.add(new Finding(check.claim(), check.violations(history)));
        return new Verdict(history, findings);
    }

    /** Whether everything holds, and something was there to hold. */
    public boolean passed() {
        return !isEmpty() && findings.stream().allMatch(Finding::holds);
    }

    /** A history in which nothing was enqueued and acked proves nothing. */
    private boolean isEmpty() {
        return count(Answer.OK) == 0 || history.all(Acked.class).isEmpty();
    }

    public void print(PrintStream out) {
        out.println(
                "%,d enqueues answered, %,d rejected, %,d without an answer; %,d acks; %,d jobs handed out; %,d events; %,d jobs looked at in the end"
                        .formatted(
                                count(Answer.OK),
                                count(Answer.REJECTED),
                                count(Answer.UNKNOWN),
                                history.all(Acked.class).size(),
                                history.deliveryRefs().size(),
                                history.events().size(),
                                history.finals().size()));
        if (history.events().isEmpty()) out.println("(no events were read: what they must say was not checked)");
        OrderLines.of(history).words().ifPresent(out::println);
        TenantPeaks.of(history).map(TenantPeaks::words).ifPresent(out::println);
        for (Finding finding : findings) print(finding, out);
        if (isEmpty()) out.println("FAILED: nothing happened that could have gone wrong");
        else out.println(passed() ? "All of it holds." : "FAILED");
    }

    private void print(Finding finding, PrintStream out) {
        out.println("%s  %s".formatted(finding.holds() ? "holds " : "BROKEN", finding.claim()));
        for (Violation violation : finding.violations().stream().limit(SHOWN).toList()) {
            out.println("        job %s: %s".formatted(violation.job(), violation.what()));
            for (String line : Timeline.of(violation.job(), history)) out.println("          " + line);
        }
        int more = finding.violations().size() - SHOWN;
        if (more > 0) out.println("        and %,d more".formatted(more));
    }

    private long count(Answer answer) {
        return history.all(Enqueued.class).stream()
                .filter(enqueued -> enqueued.answer() == answer)
                .count();
    }
}
