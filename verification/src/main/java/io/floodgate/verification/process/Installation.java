package io.floodgate.verification.process;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.KafkaTopics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Processes that together are Floodgate, at addresses that stay theirs however often they are started again. */
public final class Installation implements AutoCloseable {
    private static final String CLUSTER_HEAP = "400m";

    public record Member(Role role, Child process) {}

    private final List<String> brokers;
    private final List<String> urls;
    private final List<Member> members;

    private Installation(List<String> brokers, List<String> urls, List<Member> members) {
        this.brokers = List.copyOf(brokers);
        this.urls = List.copyOf(urls);
        this.members = List.copyOf(members);
    }

    /** Everything in one process. */
    public static Installation node(Path directory, int partitions) {
        return node(directory, partitions, Child.SMALL_HEAP);
    }

    /** @param options of {@code up}, beside those for places and ports */
    public static Installation node(Path directory, int partitions, String heap, String... options) {
        int broker = Ports.free();
        int http = Ports.free();
        List<String> arguments = new ArrayList<>(List.of(
                "up",
                "--data",
                directory.resolve("data").toString(),
                "--partitions",
                Integer.toString(partitions),
                "--port",
                Integer.toString(http),
                "--broker-port",
                Integer.toString(broker)));
        arguments.addAll(List.of(options));
        Child node = new Child("node", arguments, directory, heap);
        return new Installation(
                List.of(Hosts.LOCAL.address("node") + ":" + broker),
                List.of(url(Hosts.LOCAL.address("node"), http)),
                List.of(new Member(Role.NODE, node)));
    }

    /** A process for the broker, for each processor and for each gateway. */
    public static Installation apart(Path directory, int partitions, int processors, int gateways) {
        return apart(directory, partitions, processors, gateways, Child.SMALL_HEAP);
    }

    public static Installation apart(Path directory, int partitions, int processors, int gateways, String heap) {
        return apart(directory, partitions, processors, gateways, heap, Ports.free(), List.of());
    }

    /** The same; a {@link SecondBroker} can join its broker. */
    public static Installation joinable(
            Path directory, int partitions, int processors, int gateways, int controllerPort) {
        int port = Ports.free();
        return apart(
                directory,
                partitions,
                processors,
                gateways,
                Child.SMALL_HEAP,
                port,
                SecondBroker.optionsOfTheFirst(port, controllerPort));
    }

    /**
     * Three brokers and more, each in a process of its own, with replication 3 and min.insync.replicas 2, and a process for
     * each processor and each gateway.
     *
     * @param options of each processor and each gateway
     */
    public static Installation cluster(
            Path directory, int brokers, int partitions, int processors, int gateways, List<String> options)
            throws IOException {
        return cluster(directory, brokers, partitions, processors, gateways, options, Hosts.LOCAL);
    }

    /** The same, on these hosts. */
    public static Installation cluster(
            Path directory,
            int brokers,
            int partitions,
            int processors,
            int gateways,
            List<String> options,
            Hosts hosts)
            throws IOException {
        List<Integer> ports = Stream.generate(Ports::free).limit(brokers).toList();
        List<Member> members = new ArrayList<>();
        ClusterMember.all(directory, ports, hosts).forEach(broker -> members.add(new Member(Role.BROKER, broker)));
        List<String> addresses = IntStream.rangeClosed(1, brokers)
                .mapToObj(number -> hosts.address(ClusterMember.name(number)) + ":" + ports.get(number - 1))
                .toList();
        return apart(directory, partitions, processors, gateways, CLUSTER_HEAP, addresses, members, options, hosts);
    }

    private static Installation apart(
            Path directory,
            int partitions,
            int processors,
            int gateways,
            String heap,
            int port,
            List<String> brokerOptions) {
        String data = directory.resolve("broker-data").toString();
        List<String> broker =
                new ArrayList<>(List.of("broker", "--data", data, "--broker-port", Integer.toString(port)));
        broker.addAll(brokerOptions);
        List<Member> members = new ArrayList<>();
        members.add(new Member(Role.BROKER, new Child("broker", broker, directory, heap)));
        return apart(
                directory,
                partitions,
                processors,
                gateways,
                heap,
                List.of(Hosts.LOCAL.address("broker") + ":" + port),
                members,
                List.of(),
                Hosts.LOCAL);
    }

    private static Installation apart(
            Path directory,
            int partitions,
            int processors,
            int gateways,
            String heap,
            List<String> brokers,
            List<Member> members,
            List<String> options,
            Hosts hosts) {
        String bootstrap = String.join(",", brokers);
        List<String> urls = new ArrayList<>();
        for (int i = 1; i <= processors; i++) {
            List<String> processor = new ArrayList<>(List.of(
                    "processor",
                    "--bootstrap",
                    bootstrap,
                    "--partitions",
                    Integer.toString(partitions),
                    "--replication",
                    Integer.toString(Math.min(3, brokers.size())),
                    "--standbys",
                    processors > 1 ? "1" : "0",
                    "--data",
                    directory.resolve("processor-data-" + i).toString()));
            processor.addAll(options);
            members.add(new Member(Role.PROCESSOR, child("processor-" + i, processor, directory, heap, hosts)));
        }
        for (int i = 1; i <= gateways; i++) {
            int http = Ports.free();
            String host = hosts.address("gateway-" + i);
            urls.add(url(host, http));
            List<String> gateway = new ArrayList<>(List.of(
                    "gateway",
                    "--bootstrap",
                    bootstrap,
                    "--no-auth",
                    "--host",
                    host,
                    "--port",
                    Integer.toString(http)));
            gateway.addAll(options);
            members.add(new Member(Role.GATEWAY, child("gateway-" + i, gateway, directory, heap, hosts)));
        }
        return new Installation(brokers, urls, members);
    }

    private static Child child(String name, List<String> arguments, Path directory, String heap, Hosts hosts) {
        Child child = new Child(name, arguments, directory, heap);
        child.wrapIn(hosts.wrapper(name));
        return child;
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
