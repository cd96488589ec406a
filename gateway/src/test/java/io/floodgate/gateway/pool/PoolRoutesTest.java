package io.floodgate.gateway.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.PoolCommand.DeletePool;
import io.floodgate.topics.command.PoolCommand.GetPool;
import io.floodgate.topics.command.PoolCommand.PutPool;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.queue.QueueSharing;
import org.junit.jupiter.api.Test;

class PoolRoutesTest extends GatewayFixture {
    private static final String PATH = "/ojs/v1/admin/pools/general";
    private static final String POOL =
            "{\"name\":\"general\",\"strategy\":\"weighted\",\"queues\":[\"a\",\"b\"],\"weights\":{\"a\":3,\"b\":1}";

    @Test
    void a_pool_is_defined_in_either_spelling() {
        logs.answer(POOL + ",\"created\":true}");
        for (String body : new String[] {
            "{\"queues\":[\"a\",\"b\"],\"strategy\":\"weighted\",\"weights\":{\"a\":3}}",
            "{\"name\":\"general\",\"strategy\":\"weighted\",\"queues\":{\"a\":{\"weight\":3},\"b\":{}}}",
            "{\"pool\":{\"queues\":[\"a\",\"b\"],\"weights\":{\"a\":3,\"b\":1}}}"
        }) {
            Got got = send("PUT", PATH, body);
            assertThat(got.status()).as(body).isEqualTo(201);
            got.answers("{'pool':{'name':'general','strategy':'weighted'}}");
            PutPool command = logs.theCommand(PutPool.class);
            assertThat(command.definition().sharing()).isEqualTo(QueueSharing.WEIGHTED);
            assertThat(command.definition().queues()).containsEntry("a", 3).containsEntry("b", 1);
            logs.reset().answer(POOL + ",\"created\":true}");
        }
    }

    @Test
    void what_is_no_pool_is_rejected_by_its_field() {
        for (String[] wrong : new String[][] {
            {"{}", "queues"},
            {"{\"queues\":[\"A b\"]}", "queues"},
            {"{\"queues\":[\"a\"],\"strategy\":\"best\"}", "strategy"},
            {"{\"queues\":[\"a\"],\"weights\":{\"a\":0}}", "weights.a"},
            {"{\"queues\":[\"a\"],\"weights\":{\"z\":1}}", "weights"},
            {"{\"queues\":[\"a\"],\"name\":\"other\"}", "name"}
        }) {
            Got got = send("PUT", PATH, wrong[0]);
            assertThat(got.status()).as(wrong[0]).isEqualTo(400);
            assertThat(got.at("/error/details/field").asString()).isEqualTo(wrong[1]);
        }
        send("PUT", PATH, "{\"queues\":[\"a\"],\"concurrency\":20}").answers(422);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void it_is_shown_and_forgotten() {
        logs.answer(POOL + "}");
        assertThat(get(PATH).at("/pool/weights/a").asInt()).isEqualTo(3);
        assertThat(logs.theCommand(GetPool.class).pool()).isEqualTo("general");
        logs.reset().answer("{\"deleted\":true}");
        delete(PATH).answers(204);
        assertThat(logs.theCommand(DeletePool.class).pool()).isEqualTo("general");
    }

    @Test
    void a_fetch_looks_into_its_queues_by_weights() {
        logs.answer("");
        int first = 0;
        for (int i = 0; i < 4; i++) {
            post(
                    "/ojs/v1/workers/fetch",
                    "{\"queues\":[\"a\",\"b\"],\"strategy\":\"weighted\",\"weights\":{\"a\":3},\"wait_ms\":0}");
            Fetch fetch = (Fetch) logs.sent().get(logs.sent().size() - 1).command();
            if (fetch.queues().getFirst().equals("a")) first++;
        }
        assertThat(first).isEqualTo(3);
    }

    @Test
    void a_fetch_with_a_pool_that_is_none_is_rejected() {
        logs.reject(Rejection.notFound("pool", "none"));
        post("/ojs/v1/workers/fetch", "{\"pool\":\"none\"}").answers(404);
        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"strategy\":\"best\"}")
                .answers(400);
    }
}
