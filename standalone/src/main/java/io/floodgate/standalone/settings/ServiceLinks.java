package io.floodgate.standalone.settings;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What Kubernetes puts into every container for a service that happens to be named like us: a service {@code floodgate}
 * gives {@code FLOODGATE_PORT=tcp://10.0.0.1:8080}, one named {@code floodgate-kafka} a {@code FLOODGATE_KAFKA_PORT}.
 * No operator has set these.
 */
final class ServiceLinks {
    private static final Pattern ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");
    private static final String HOST = "_SERVICE_HOST";

    private ServiceLinks() {}

    static Map<String, String> without(Map<String, String> environment) {
        Map<String, String> rest = new LinkedHashMap<>(environment);
        rest.values().removeIf(value -> ADDRESS.matcher(value).matches());
        environment.keySet().stream()
                .filter(name -> name.endsWith(HOST))
                .map(name -> name.substring(0, name.length() - HOST.length()))
                .forEach(service -> rest.keySet().removeIf(name -> isOf(service, name)));
        return rest;
    }

    private static boolean isOf(String service, String name) {
        if (!name.startsWith(service + "_")) return false;
        String what = name.substring(service.length() + 1);
        return what.startsWith("SERVICE_") || what.matches("PORT_\\d+_.*");
    }
}
