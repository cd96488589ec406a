package io.floodgate.gateway.http;

import io.helidon.common.uri.UriEncoding;
import io.helidon.http.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the route of a request: paths without parameters first, then those of as many segments. */
public final class RouteTable {
    /** A route's path taken apart; of a parameter, the name. */
    private record Template(Route route, List<Segment> segments) {
        static Template of(Route route) {
            return new Template(
                    route, split(route.path()).stream().map(Segment::of).toList());
        }

        boolean hasParameters() {
            return segments.stream().anyMatch(Segment::isParameter);
        }

        boolean fits(List<String> path) {
            for (int i = 0; i < segments.size(); i++) {
                Segment segment = segments.get(i);
                if (!segment.isParameter && !segment.text.equals(path.get(i))) return false;
            }
            return true;
        }

        Map<String, String> parameters(List<String> path) {
            Map<String, String> parameters = new HashMap<>();
            for (int i = 0; i < segments.size(); i++)
                if (segments.get(i).isParameter) parameters.put(segments.get(i).text, decoded(path.get(i)));
            return parameters;
        }
    }

    private record Segment(String text, boolean isParameter) {
        static Segment of(String segment) {
            boolean parameter = segment.startsWith("{");
            return new Segment(parameter ? segment.substring(1, segment.length() - 1) : segment, parameter);
        }
    }

    /** A route, and what its parameters are in the path at hand. */
    record Match(Route route, Map<String, String> parameters) {}

    private final List<Route> routes;
    private final Map<String, Map<String, Match>> exact = new HashMap<>();
    private final Map<Integer, List<Template>> bySegments = new HashMap<>();

    public RouteTable(List<Route> routes) {
        this.routes = List.copyOf(routes);
        for (Route route : routes) {
            Template template = Template.of(route);
            if (template.hasParameters()) {
                bySegments
                        .computeIfAbsent(template.segments.size(), n -> new ArrayList<>())
                        .add(template);
            } else {
                exact.computeIfAbsent(route.path(), p -> new HashMap<>())
                        .put(route.method().text(), new Match(route, Map.of()));
            }
        }
    }

    public List<Route> routes() {
        return routes;
    }

    @Nullable
    Match find(Method method, String path) {
        // HEAD is allowed where GET is.
        String wanted = method.equals(Method.HEAD) ? Method.GET.text() : method.text();
        String plain = withoutSlash(path);
        Map<String, Match> here = exact.get(plain);
        if (here != null && here.get(wanted) != null) return here.get(wanted);
        List<String> segments = split(plain);
        for (Template template : bySegments.getOrDefault(segments.size(), List.of())) {
            if (template.route.method().text().equals(wanted) && template.fits(segments))
                return new Match(template.route, template.parameters(segments));
        }
        return null;
    }

    /** The methods that the path offers; none if there is nothing at it. */
    List<String> methods(String path) {
        String plain = withoutSlash(path);
        Set<String> methods =
                new LinkedHashSet<>(exact.getOrDefault(plain, Map.of()).keySet());
        List<String> segments = split(plain);
        for (Template template : bySegments.getOrDefault(segments.size(), List.of()))
            if (template.fits(segments)) methods.add(template.route.method().text());
        if (methods.contains(Method.GET.text())) methods.add(Method.HEAD.text());
        return methods.stream().sorted().toList();
    }

    private static String withoutSlash(String path) {
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static List<String> split(String path) {
        return List.of(path.substring(1).split("/", -1));
    }

    private static String decoded(String segment) {
        return segment.indexOf('%') < 0 ? segment : UriEncoding.decodeUri(segment);
    }
}
