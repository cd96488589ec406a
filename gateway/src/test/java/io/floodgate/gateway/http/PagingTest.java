package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists as OJS HTTP binding §17 pages them. */
class PagingTest extends GatewayFixture {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ojs/v1/queues?limit=2",
                "/ojs/v1/admin/queues?per_page=2",
                "/ojs/v1/admin/queues?view=row&per_page=2"
            })
    void the_next_cursor_leads_through_the_whole_list(String list) {
        for (String name : List.of("a", "b", "c", "d", "e"))
            given.published("{\"name\":\"%s\",\"version\":1,\"created_at\":\"t\"}".formatted(name));
        List<String> names = new ArrayList<>();
        String cursor = "";
        do {
            Got page = get(list + "&cursor=" + cursor);
            assertThat(page.at("/pagination/total").asInt()).isEqualTo(5);
            String items = page.json().has("queues") ? "/queues" : "/items";
            page.at(items).forEach(queue -> names.add(queue.path("name").asString()));
            cursor = page.at("/pagination/next_cursor").asString("");
            assertThat(page.at("/pagination/has_more").asBoolean()).isEqualTo(!cursor.isEmpty());
        } while (!cursor.isEmpty());
        assertThat(names).containsExactly("a", "b", "c", "d", "e");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "@", "@x", "019501a2-3b4c-7d5e-8f6a-1b2c3d4e5f6a"})
    void a_cursor_that_no_page_has_given_is_rejected(String cursor) {
        get("/ojs/v1/queues?cursor=" + cursor).answers(400, "{'error':{'details':{'field':'cursor'}}}");
    }

    @Test
    void pages_and_offsets_are_understood_beside_it() {
        for (String name : List.of("a", "b", "c"))
            given.published("{\"name\":\"%s\",\"version\":1,\"created_at\":\"t\"}".formatted(name));
        get("/ojs/v1/queues?limit=1&page=3").answers("{'queues':[{'name':'c'}]}");
        get("/ojs/v1/queues?limit=1&offset=1").answers("{'queues':[{'name':'b'}]}");
    }
}
