package io.floodgate.verification.network;

import io.floodgate.verification.process.Hosts;
import io.floodgate.verification.process.NativeProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A network namespace for each process, with a router between them that can drop what one of them sends to another.
 * Namespaces are named by the process that makes them, and removed with it.
 */
public final class Networks implements Hosts, AutoCloseable {
    private static final String PREFIX = "floodgate-";

    private static final NativeProgram LATE = new NativeProgram(Networks.class, List.of("late.c"), List.of());

    private final String name = PREFIX + ProcessHandle.current().pid();
    private final String net = "10.231." + ProcessHandle.current().pid() % 250 + ".";
    private final String router = name + "-router";
    private final String gateway = net + "254";
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private final Thread atExit = Thread.ofPlatform().name("remove-networks").unstarted(this::remove);
    private @Nullable Process late;

    /** The reason why there can be none on this machine, and what to do; empty if there can. */
    public static Optional<String> missing() {
        String tried = PREFIX + ProcessHandle.current().pid() + "-tried";
        try {
            ip("netns add " + tried);
            in(tried, "sysctl -qw net.ipv4.ip_forward=1");
            ip("link add ft%d type veth peer name here netns %s"
                    .formatted(ProcessHandle.current().pid(), tried));
            ip("netns del " + tried);
            return Optional.empty();
        } catch (IllegalStateException failed) {
            succeeds(List.of("ip", "netns", "del", tried));
            return Optional.of("networks of its own take root, or unshare -rnm: " + failed.getMessage());
        }
    }

    /** Makes the router and connects this process to it. */
    public Networks() {
        Runtime.getRuntime().addShutdownHook(atExit);
        removeThoseOfTheDead();
        ip("netns add " + router);
        in(router, "sysctl -qw net.ipv4.ip_forward=1");
        String link = "fg" + ProcessHandle.current().pid();
        ip("link add %s type veth peer name here netns %s".formatted(link, router));
        ip("addr add %s1/32 dev %s".formatted(net, link));
        ip("link set %s up".formatted(link));
        ip("route add %s dev %s".formatted(gateway, link));
        ip("route add %s0/24 via %s dev %s".formatted(net, gateway, link));
        connectRouter("here", net + "1");
    }

    private void connectRouter(String link, String address) {
        inRouter("ip addr add %s/32 dev %s".formatted(gateway, link));
        inRouter("ip link set %s up".formatted(link));
        inRouter("ip route add %s dev %s".formatted(address, link));
    }

    @Override
    public String address(String process) {
        return addresses.computeIfAbsent(process, unused -> make(process));
    }

    @Override
    public List<String> wrapper(String process) {
        address(process);
        return List.of("ip", "netns", "exec", namespace(process));
    }

    private String namespace(String process) {
        return name + "-" + process;
    }

    private String make(String process) {
        String own = namespace(process);
        String address = net + (addresses.size() + 2);
        String link = "to" + addresses.size();
        ip("netns add " + own);
        // Records are longer than packets, and each packet is lost or rejected for itself.
        ip("link add eth0 mtu 600 gso_max_segs 1 netns %s type veth peer name %s netns %s"
                .formatted(own, link, router));
        in(own, "ip link set lo up");
        in(own, "ip addr add %s/32 dev eth0".formatted(address));
        in(own, "ip link set eth0 up");
        in(own, "ip route add %s dev eth0".formatted(gateway));
        in(own, "ip route add default via " + gateway);
        connectRouter(link, address);
        return address;
    }

    /** Drops what the first sends to the second, without an answer. */
    public void cutOneWay(String from, String to) {
        inRouter("ip rule add from %s to %s priority 100 blackhole".formatted(address(from), address(to)));
    }

    /** Drops what these two send to each other. */
    public void cut(String one, String other) {
        cutOneWay(one, other);
        cutOneWay(other, one);
    }

    /** Drops what this broker and the others send to each other. */
    void cutOff(int broker, int brokers) {
        for (int other = 1; other <= brokers; other++) if (other != broker) cut("broker-" + broker, "broker-" + other);
    }

    /** Drops this share of the packets between processes, by chance. */
    public void lose(int percent) {
        filter("numgen random mod 100 < %d drop".formatted(percent));
    }

    /** Ends connections with a reset, for this share of the packets that do not end what was written at once. */
    public void reset(int perMille) {
        filter("tcp flags & psh == 0 meta length > 500 numgen random mod 1000 < %d reject with tcp reset"
                .formatted(perMille));
    }

    private void filter(String rule) {
        inRouter("nft add table ip bad");
        inRouter("nft add chain ip bad forward { type filter hook forward priority 0 ; }");
        inRouter("nft add rule ip bad forward iifname != here oifname != here " + rule);
    }

    /** Has each packet between processes arrive so much later. */
    public void delay(Duration length) throws IOException, InterruptedException {
        late = new ProcessBuilder(
                        "ip",
                        "netns",
                        "exec",
                        router,
                        LATE.compiled().toString(),
                        "late",
                        Long.toString(length.toMillis()))
                .redirectError(Redirect.INHERIT)
                .start();
        if (late.inputReader(StandardCharsets.UTF_8).readLine() == null)
            throw new IOException("packets cannot be delayed");
        inRouter("ip link set late up");
        inRouter("ip route add default dev late table 100");
        for (String not : List.of("iif late", "iif here", "to " + net + "1"))
            inRouter("ip rule add %s priority 100 lookup main".formatted(not));
        inRouter("ip rule add priority 100 lookup 100");
    }

    /** Lets everything through again. */
    public void heal() {
        if (late != null) late.destroy();
        late = null;
        succeeds(List.of("ip", "netns", "exec", router, "nft", "delete", "table", "ip", "bad"));
        while (succeeds(List.of("ip", "netns", "exec", router, "ip", "rule", "del", "priority", "100"))) {
            // one rule each time
        }
    }

    private void inRouter(String command) {
        in(router, command);
    }

    private static void in(String namespace, String command) {
        ip("netns exec %s %s".formatted(namespace, command));
    }

    private static void ip(String arguments) {
        List<String> line = new ArrayList<>(List.of("ip"));
        line.addAll(List.of(arguments.split(" ", -1)));
        run(line);
    }

    private static String run(List<String> line) {
        try {
            Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0)
                throw new IllegalStateException("%s: %s".formatted(String.join(" ", line), said.strip()));
            return said;
        } catch (IOException missing) {
            throw new IllegalStateException(
                    "the command %s is missing: apt-get install iproute2 nftables".formatted(line.getFirst()), missing);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
    }

    private static boolean succeeds(List<String> line) {
        try {
            run(line);
            return true;
        } catch (IllegalStateException failed) {
            return false;
        }
    }

    /** Removes what processes left that were killed. */
    private static void removeThoseOfTheDead() {
        for (String namespace : namespaces()) {
            String owner = namespace.substring(PREFIX.length()).replaceFirst("-.*", "");
            if (ProcessHandle.of(Long.parseLong(owner)).isEmpty()) ip("netns del " + namespace);
        }
    }

    private static List<String> namespaces() {
        return run(List.of("ip", "netns", "list"))
                .lines()
                .map(line -> line.replaceFirst(" .*", ""))
                .filter(namespace -> namespace.matches(PREFIX + "\\d+-.*"))
                .toList();
    }

    private synchronized void remove() {
        for (String namespace : namespaces()) if (namespace.startsWith(name + "-")) ip("netns del " + namespace);
    }

    @Override
    public void close() {
        remove();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }
}
