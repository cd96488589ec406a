package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TenantExplainerTest {
    private static String queue(int depth, int bound, int rejected, int all) {
        double pressure = bound == 0 ? 0 : Math.min(1, (double) depth / bound);
        return "{'queue':'shared','depth':%d,'available':5,'max_queue_depth':%d,'pressure':%s,'own_limit':true,'rejected':%d,'queue_depth':%d,'queue_bound':100,'share':%s,'queue_pressure':%s}"
                .formatted(depth, bound, pressure, rejected, all, (double) depth / all, all / 100.0);
    }

    private static Explanation explain(String queues) {
        return TenantExplainer.explain(
                new Facts(Given.json("{'tenant_id':'acme','depth':7,'queues':[%s]}".formatted(queues))), Given.NOW);
    }

    private static Finding verdict(TenantCode code, Severity severity, String queues) {
        Finding verdict = explain(queues).verdict();
        assertThat(verdict.code()).isEqualTo(code);
        assertThat(verdict.severity()).isEqualTo(severity);
        return verdict;
    }

    @Test
    void at_bound() {
        Finding found = verdict(TenantCode.AT_BOUND, Severity.PROBLEM, queue(20, 20, 3, 60));
        assertThat(found.title()).isEqualTo("Tenant 'acme' has all that it may have of queue 'shared': 20 jobs");
        assertThat(found.text()).isEqualTo("3 jobs were rejected in the last 10 min.");
        assertThat(found.advice().getLast().text())
                .startsWith("If it sends more than its share, keep the bound: it protects the others.");
        assertThat(found.advice())
                .allSatisfy(advice -> assertThat(advice.action()).isNull());
        assertThat(explain(queue(20, 20, 3, 60)).findings()).hasSize(1);
        verdict(TenantCode.AT_BOUND, Severity.WARNING, queue(20, 20, 0, 60));
    }

    @Test
    void at_total_bound() {
        String tenant =
                "{'tenant_id':'acme','depth':20,'max_jobs':20,'in_force':true,'rejected':%d,'jobs_in':[{'queue':'a','jobs':15},{'queue':'b','jobs':5}],'queues':[]}";
        Explanation found = TenantExplainer.explain(new Facts(Given.json(tenant.formatted(3))), Given.NOW);
        assertThat(found.verdict().code()).isEqualTo(TenantCode.AT_TOTAL_BOUND);
        assertThat(found.verdict().severity()).isEqualTo(Severity.PROBLEM);
        assertThat(found.verdict().title())
                .isEqualTo("Tenant 'acme' has all that it may have over all queues: 20 jobs");
        assertThat(found.verdict().advice().getFirst().text()).contains("./floodgate why queue a");
        Explanation quiet = TenantExplainer.explain(new Facts(Given.json(tenant.formatted(0))), Given.NOW);
        assertThat(quiet.verdict().severity()).isEqualTo(Severity.WARNING);
        Explanation below = TenantExplainer.explain(
                new Facts(Given.json(tenant.formatted(0).replace("'depth':20", "'depth':19"))), Given.NOW);
        assertThat(below.verdict().code()).isEqualTo(TenantCode.QUIET);
    }

    @Test
    void at_concurrency() {
        Explanation found = TenantExplainer.explain(
                new Facts(
                        Given.json(
                                "{'tenant_id':'acme','depth':0,'max_concurrency':3,'running':3,'in_force':true,'rejected':0,'running_in':[{'queue':'a','running':3}],'queues':[]}")),
                Given.NOW);
        assertThat(found.verdict().code()).isEqualTo(TenantCode.AT_CONCURRENCY);
        assertThat(found.verdict().title())
                .isEqualTo("Tenant 'acme' has as many jobs running as it may have over all queues: 3 jobs");
        assertThat(found.verdict().advice().getFirst().text()).contains("./floodgate why queue a");
    }

    @Test
    void noisy() {
        Finding found = verdict(TenantCode.NOISY, Severity.WARNING, queue(80, 0, 0, 100));
        assertThat(found.title()).isEqualTo("Tenant 'acme' has 80% of the full queue 'shared': 80 of 100 jobs");
        assertThat(found.advice().getFirst().action().body())
                .isEqualTo("{\"limits\":{\"max_queue_depth\":50},\"queues\":[\"shared\"]}");
        verdict(TenantCode.QUIET, Severity.OK, queue(49, 0, 0, 100));
        verdict(TenantCode.QUIET, Severity.OK, queue(80, 0, 0, 99));
        Explanation bounded = explain(queue(80, 100, 0, 100).replace("'max_queue_depth':100", "'max_queue_depth':50"));
        Finding again = bounded.findings().get(1);
        assertThat(again.code()).isEqualTo(TenantCode.NOISY);
        assertThat(again.advice()).as("it is bound to that already").noneMatch(advice -> advice.action() != null);
    }

    @Test
    void rejected() {
        Finding found = verdict(TenantCode.REJECTED, Severity.WARNING, queue(10, 20, 3, 60));
        assertThat(found.title()).isEqualTo("Queue 'shared' has rejected 3 jobs of tenant 'acme' in the last 10 min");
        String two = queue(10, 20, 3, 60) + "," + queue(10, 20, 4, 60).replace("shared", "other");
        assertThat(verdict(TenantCode.REJECTED, Severity.WARNING, two).title()).startsWith("Queue 'other' has");
    }

    @Test
    void near_bound() {
        Finding found = verdict(TenantCode.NEAR_BOUND, Severity.INFO, queue(16, 20, 0, 60));
        assertThat(found.title()).isEqualTo("Tenant 'acme' has used 80% of its bound in queue 'shared'");
        verdict(TenantCode.QUIET, Severity.OK, queue(15, 20, 0, 60));
    }

    @Test
    void quiet() {
        assertThat(verdict(TenantCode.QUIET, Severity.OK, "").text())
                .isEqualTo("It has jobs in queues that do not bound their tenants.");
        assertThat(explain(queue(1, 0, 0, 2)).json().toString()).contains("\"share\":0.5");
    }

    @Test
    void unknown_tenant() {
        assertThat(TenantExplainer.unknown("x", Given.NOW).verdict().code()).isEqualTo(TenantCode.UNKNOWN_TENANT);
    }
}
