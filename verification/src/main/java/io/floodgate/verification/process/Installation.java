package io.floodgate.verification.process;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.KafkaTopics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Processes that together are Floodgate, at addresses that stay theirs however often they are started again. */
public final class Installation implements AutoCloseable {
    private static final String CLUSTER_HEAP = "400m";

    /** Subscribers are on this machine. */
    private static final String WEBHOOKS = " --webhook-http --webhook-allow 127.0.0.0/8";

    public record Member(Role role, Child process) {}

    /**
     * Which processes there are.
     *
     * @param brokers none if all is in one process; one; or several, with replication 3 and min.insync.replicas 2
     * @param heap of each process
     * @param options of the one process, or of each processor and each gateway
     * @param hosts where they run
     */
    public record Layout(
            Path directory,
            int partitions,
            int brokers,
            int processors,
            int gateways,
            String heap,
            List<String> options,
            Hosts hosts) {
        public Layout {
            options = List.copyOf(options);
        }

        public Layout(Path directory, int partitions, int brokers, int processors, int gateways) {
            this(
                    directory,
                    partitions,
                    brokers,
                    processors,
                    gateways,
                    brokers > 1 ? CLUSTER_HEAP : Child.SMALL_HEAP,
                    List.of(),
                    Hosts.LOCAL);
        }

        /** Everything in one process. */
        public static Layout node(Path directory, int partitions) {
            return new Layout(directory, partitions, 0, 0, 0);
        }

        public Layout heap(String size) {
            return new Layout(directory, partitions, brokers, processors, gateways, size, options, hosts);
        }

        public Layout options(List<String> more) {
            return new Layout(directory, partitions, brokers, processors, gateways, heap, more, hosts);
        }

        public Layout on(Hosts others) {
            return new Layout(directory, partitions, brokers, processors, gateways, heap, options, others);
        }

        public Installation make() throws IOException {
            return brokers == 0 ? Installation.node(this) : Installation.apart(this);
        }

        /** @param arguments of the command line, in which values replace %s */
        private Child child(String name, String arguments, Object... values) {
            List<String> all = new ArrayList<>();
            Iterator<Object> next = List.of(values).iterator();
            for (String word : arguments.split(" ", -1))
                all.add(word.equals("%s") ? next.next().toString() : word);
            all.addAll(options);
            Child child = new Child(name, all, directory, heap);
            child.wrapIn(hosts.wrapper(name));
            return child;
        }
    }

    private final List<String> brokers;
    private final List<String> urls;
    private final List<Member> members;

    private Installation(List<String> brokers, List<String> urls, List<Member> members) {
        this.brokers = List.copyOf(brokers);
        this.urls = List.copyOf(urls);
        this.members = List.copyOf(members);
    }

    private static Installation node(Layout layout) {
        int broker = Ports.free();
        int http = Ports.free();
        Child node = layout.child(
                "node",
                "up --data %s --partitions %s --port %s --broker-port %s" + WEBHOOKS,
                layout.directory.resolve("data"),
                layout.partitions,
                http,
                broker);
        String address = layout.hosts.address("node");
        return new Installation(
                List.of(address + ":" + broker), List.of(url(address, http)), List.of(new Member(Role.NODE, node)));
    }

    private static Installation apart(Layout layout) throws IOException {
        List<Member> members = new ArrayList<>();
        List<String> brokers = new ArrayList<>();
        List<Integer> ports = Stream.generate(Ports::free).limit(layout.brokers).toList();
        List<Child> all = layout.brokers > 1
                ? ClusterMember.all(layout.directory, ports, layout.hosts)
                : List.of(layout.options(List.of())
                        .child(
                                "broker",
                                "broker --data %s --broker-port %s",
                                layout.directory.resolve("broker-data"),
                                ports.getFirst()));
        for (Child broker : all) {
            brokers.add(layout.hosts.address(broker.name()) + ":" + ports.get(brokers.size()));
            members.add(new Member(Role.BROKER, broker));
        }
        String bootstrap = String.join(",", brokers);
        for (int i = 1; i <= layout.processors; i++) {
            Child processor = layout.child(
                    "processor-" + i,
                    "processor --bootstrap %s --partitions %s --replication %s --standbys %s --data %s",
                    bootstrap,
                    layout.partitions,
                    Math.min(3, layout.brokers),
                    layout.processors > 1 ? 1 : 0,
                    layout.directory.resolve("processor-data-" + i));
            members.add(new Member(Role.PROCESSOR, processor));
        }
        List<String> urls = new ArrayList<>();
        for (int i = 1; i <= layout.gateways; i++) {
            int http = Ports.free();
            String host = layout.hosts.address("gateway-" + i);
            urls.add(url(host, http));
            String arguments = "gateway --bootstrap %s --no-auth --host %s --port %s" + WEBHOOKS;
            members.add(new Member(Role.GATEWAY, layout.child("gateway-" + i, arguments, bootstrap, host, http)));
        }
        return new Installation(brokers, urls, members);
    }

    private static String url(String host, int port) {
        return "http://%s:%d".formatted(host, port);
    }

    /** Starts all that are not running, and returns when they were started; they may not serve yet. Each finds what it needs there: broker, then topics. */
    public void start(Duration patience) throws IOException, InterruptedException, TimeoutException {
        for (Member member : members) {
            if (member.process.isAlive()) continue;
            if (member.role == Role.PROCESSOR)
                Await.until(
                        "the brokers listen", patience, () -> brokers.stream().allMatch(Ports::listens));
            if (member.role == Role.GATEWAY) KafkaTopics.awaitTopics(bootstrap(), patience);
            member.process.start();
        }
    }

    /** Asks all to end, in the opposite order. Returns those that had to be killed. */
    public List<String> stop(Duration patience) throws InterruptedException {
        List<String> killed = new ArrayList<>();
        List<Member> lastFirst = new ArrayList<>(members);
        Collections.reverse(lastFirst);
        for (Member member : lastFirst) {
            if (!member.process.isAlive()) continue;
            if (member.role == Role.BROKER && isWithoutMajority()) member.process.kill();
            else if (!member.process.stop(patience)) killed.add(member.process.name());
        }
        return killed;
    }

    /** Then a broker that is asked to end would wait for minutes until a controller lets it. */
    private boolean isWithoutMajority() {
        List<Child> brokers = all(Role.BROKER);
        long alive = brokers.stream().filter(Child::isAlive).count();
        return brokers.size() > 1 && alive <= brokers.size() / 2;
    }

    public String bootstrap() {
        return String.join(",", brokers);
    }

    public List<String> urls() {
        return urls;
    }

    public List<Member> members() {
        return members;
    }

    public List<Child> all(Role role) {
        return members.stream()
                .filter(member -> member.role == role)
                .map(Member::process)
                .toList();
    }

    /** What all have used since they were started. */
    public Duration processorTime() {
        return members.stream().map(member -> member.process.processorTime()).reduce(Duration.ZERO, Duration::plus);
    }

    /** Processes that ended unexpectedly. */
    public List<Child> dead() {
        return members.stream()
                .map(Member::process)
                .filter(process -> !process.isAlive())
                .toList();
    }

    @Override
    public void close() {
        members.forEach(member -> member.process.close());
    }
}
