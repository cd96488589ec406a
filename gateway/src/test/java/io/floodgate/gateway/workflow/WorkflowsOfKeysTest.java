package io.floodgate.gateway.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.access.ApiKey;
import io.floodgate.gateway.access.Authenticator;
import io.floodgate.gateway.access.KeyAuthenticator;
import io.floodgate.gateway.access.KeyRing;
import io.floodgate.gateway.access.KeySecret;
import io.floodgate.gateway.access.Scope;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.ListWorkflows;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lists of workflows, and what keys that are confined to queues or a tenant may create and see. */
class WorkflowsOfKeysTest extends GatewayFixture {
    private static final String PATH = "/ojs/v1/workflows";
    private static final String OLD = "01939a40-0000-7000-8000-000000000001";
    private static final String NEW = "01939a41-0000-7000-8000-000000000001";

    private final List<ApiKey> keys = new ArrayList<>();
    private final String ofAll = key(null, null);
    private final String ofQueues = key(List.of("mine.*"), null);
    private final String ofTenant = key(null, "acme");

    private String key(@Nullable List<String> queues, @Nullable String tenant) {
        KeySecret secret = KeySecret.make(new SecureRandom());
        Identity identity = new Identity("key-" + keys.size(), queues, tenant);
        keys.add(new ApiKey(secret.id(), secret.hash(), Set.of(Scope.PRODUCE, Scope.OBSERVE), identity, null));
        return "Bearer " + secret.reveal();
    }

    @Override
    protected Authenticator callers() {
        return new KeyAuthenticator(() -> new KeyRing(keys), given.clock, given.nanos::get);
    }

    private static String head(String id, String tenant) {
        return "{\"id\":\"%s\",\"type\":\"chain\",\"state\":\"running\",\"tenant_id\":\"%s\"}".formatted(id, tenant);
    }

    private static String chain(String queue) {
        return "{\"type\":\"chain\",\"steps\":[{\"type\":\"a.b\",\"args\":[],\"queue\":\"%s\"}]}".formatted(queue);
    }

    /** One partition has these two, the others none. */
    private void partitionsHave(String... heads) {
        boolean[] isFirst = {true};
        logs.answer(command -> {
            List<String> lines = new ArrayList<>(List.of("{\"running\":0}"));
            if (isFirst[0]) lines.addAll(List.of(heads));
            isFirst[0] = false;
            return FakePartitions.done(lines.toArray(String[]::new));
        });
    }

    @Test
    void lists_the_newest_first_from_all_partitions() {
        partitionsHave(head(OLD, "_default"), head(NEW, "_default"));
        Got got = get(PATH + "?state=active&name=nightly", "Authorization", ofAll);
        got.answers(200, "{'workflows':[{'id':'%s'}],'items':[{},{'id':'%s'}],'pagination':{'total':2}}", NEW, OLD);
        assertThat(logs.sent())
                .isNotEmpty()
                .allSatisfy(sent ->
                        assertThat(((ListWorkflows) sent.command()).name()).isEqualTo("nightly"));
    }

    @Test
    void a_page_says_where_the_next_one_begins() {
        partitionsHave(head(NEW, "_default"), head(OLD, "_default"));
        Got got = get(PATH + "?limit=1", "Authorization", ofAll);
        assertThat(got.at("/workflows").size()).isEqualTo(1);
        assertThat(got.at("/pagination/next_cursor").asString()).isEqualTo(NEW);
        get(PATH + "?cursor=nightly", "Authorization", ofAll).answers(400);
    }

    @Test
    void a_key_of_a_tenant_sees_and_creates_only_its_own() {
        partitionsHave(head(NEW, "beta"), head(OLD, "acme"));
        Got got = get(PATH, "Authorization", ofTenant);
        assertThat(got.at("/workflows").size()).isEqualTo(1);
        assertThat(got.at("/workflows/0/id").asString()).isEqualTo(OLD);
        logs.answer(head(NEW, "beta"));
        get(PATH + "/" + NEW, "Authorization", ofTenant).answers(404);
        logs.reset().answer(head(OLD, "acme"));
        post(PATH, chain("q"), "Authorization", ofTenant).answers(201);
        String sent = new String(logs.theCommand(CreateWorkflow.class).workflow(), StandardCharsets.UTF_8);
        assertThat(sent).contains("acme");
    }

    @Test
    void a_key_of_queues_creates_only_there() {
        post(PATH, chain("other"), "Authorization", ofQueues).answers(403);
        assertThat(logs.sent()).isEmpty();
        logs.answer(head(OLD, "_default"));
        post(PATH, chain("mine.first"), "Authorization", ofQueues).answers(201);
        assertThat(logs.theOnlySent().by()).isNotNull();
    }
}
