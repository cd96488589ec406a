package io.floodgate.topics.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.common.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The brokers of a cluster as they see each other. */
final class BrokerViews {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerViews.class);

    private final List<Node> bootstrap;
    private final Function<Node, Map<Integer, Node>> ask;
    private final Map<Integer, Node> brokers = new TreeMap<>();
    private final Map<Integer, Node> givenUp = new HashMap<>();
    private final Set<Node> outOfReach = ConcurrentHashMap.newKeySet();
    private int asked;

    /**
     * @param bootstrap addresses of brokers, with negative ids
     * @param ask returns the brokers that a broker lists, by id; empty if it does not answer
     */
    BrokerViews(List<Node> bootstrap, Function<Node, Map<Integer, Node>> ask) {
        this.bootstrap = List.copyOf(bootstrap);
        this.ask = ask;
    }

    /** Returns whether the cluster is a single broker. */
    boolean isAlone() {
        return bootstrap.size() == 1 && brokers.size() == 1;
    }

    /** Returns brokers that do not answer, and that no other broker has given up as far as is known, sorted. */
    List<String> outOfReach() {
        return outOfReach.stream()
                .map(broker -> broker.host() + ":" + broker.port())
                .sorted()
                .toList();
    }

    /** Asks one broker, and returns those that answer although others have given them up. */
    List<Node> askNext() {
        List<Node> all = brokers.isEmpty() ? bootstrap : List.copyOf(brokers.values());
        Node next = all.get(asked++ % all.size());
        if (givenUp.containsKey(next.id())) return List.of();
        Map<Integer, Node> listed = ask.apply(next);
        boolean isBootstrap = next.id() < 0;
        if (listed.isEmpty() && !isBootstrap) outOfReach.add(next);
        else outOfReach.remove(next);
        // A broker that does not list itself is being started, and knows nothing.
        if (!isBootstrap && !listed.containsKey(next.id())) return List.of();
        for (Node broker : brokers.values()) if (!listed.containsKey(broker.id())) giveUp(broker);
        brokers.putAll(listed);
        givenUp.keySet().removeAll(listed.keySet());
        return givenUpButAnswering();
    }

    private void giveUp(Node broker) {
        if (givenUp.put(broker.id(), broker) == null)
            LOG.warn("Broker {} has been given up by the other brokers: clients leave it.", broker);
    }

    private List<Node> givenUpButAnswering() {
        List<Node> answering = new ArrayList<>();
        for (Node broker : List.copyOf(givenUp.values())) {
            if (ask.apply(broker).isEmpty()) {
                // Clients leave a broker that does not answer by themselves.
                brokers.remove(broker.id());
                givenUp.remove(broker.id());
                outOfReach.remove(broker);
            } else {
                answering.add(broker);
            }
        }
        return answering;
    }
}
