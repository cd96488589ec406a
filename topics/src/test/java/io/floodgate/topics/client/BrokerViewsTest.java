package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Test;

class BrokerViewsTest {
    private static final Node BOOTSTRAP = broker(-1);
    private static final Node A = broker(1);
    private static final Node B = broker(2);
    private static final Node C = broker(3);

    private final Map<Node, List<Node>> lists = new HashMap<>();
    private final BrokerViews views = new BrokerViews(List.of(BOOTSTRAP), this::ask);

    private static Node broker(int id) {
        return new Node(id, "broker", 9092 + id);
    }

    private Map<Integer, Node> ask(Node broker) {
        return lists.getOrDefault(broker, List.of()).stream().collect(Collectors.toMap(Node::id, node -> node));
    }

    private void all(List<Node> listed, Node... brokers) {
        for (Node broker : brokers) lists.put(broker, listed);
    }

    /** Returns the brokers to leave, of as many questions as there are brokers. */
    private List<Node> left() {
        return Stream.generate(views::askNext)
                .limit(3)
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    private void well() {
        all(List.of(A, B, C), BOOTSTRAP, A, B, C);
        views.askNext();
        assertThat(left()).isEmpty();
    }

    @Test
    void a_broker_that_answers_and_that_others_list_no_more_is_left_until_they_list_it_again() {
        well();
        all(List.of(A, C), A, C);
        assertThat(left()).containsExactly(B);
        assertThat(left()).containsExactly(B);
        all(List.of(A, B, C), A, C);
        assertThat(left()).isEmpty();
    }

    @Test
    void a_broker_that_does_not_answer_is_not_waited_for() {
        well();
        all(List.of(A, C), A, C);
        lists.remove(B);
        assertThat(left()).isEmpty();
        List<Node> asked = new ArrayList<>();
        lists.put(B, List.of(A, B, C));
        for (int i = 0; i < 3; i++) asked.addAll(views.askNext());
        assertThat(asked).isEmpty();
    }

    @Test
    void a_broker_that_others_list_and_that_does_not_answer_is_out_of_reach_until_it_answers_or_is_given_up() {
        well();
        lists.remove(B);
        assertThat(left()).isEmpty();
        assertThat(views.outOfReach()).containsExactly("broker:9094");
        all(List.of(A, B, C), B);
        assertThat(left()).isEmpty();
        assertThat(views.outOfReach()).isEmpty();
        lists.remove(B);
        all(List.of(A, C), A, C);
        assertThat(left()).isEmpty();
        assertThat(views.outOfReach()).isEmpty();
    }

    @Test
    void a_broker_that_is_being_started_is_not_believed() {
        well();
        all(List.of(), A);
        assertThat(left()).isEmpty();
        all(List.of(C), B);
        assertThat(left()).isEmpty();
    }

    @Test
    void a_broker_without_others_is_alone() {
        all(List.of(A), BOOTSTRAP, A);
        assertThat(views.isAlone()).isFalse();
        views.askNext();
        assertThat(views.isAlone()).isTrue();
    }
}
