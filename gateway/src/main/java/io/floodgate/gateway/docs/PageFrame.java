package io.floodgate.gateway.docs;

import static io.floodgate.gateway.docs.CodeColors.escaped;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.docs.SiteMap.Group;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is around the body of each page: the template, filled. */
final class PageFrame {
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

    private final String template = new String(SiteSources.read("page.html"), UTF_8);
    private final SiteMap map;
    private final boolean besideOthers;

    /** @param besideOthers whether other versions may be beside this one, in a directory with a list of them */
    PageFrame(SiteMap map, boolean besideOthers) {
        this.map = map;
        this.besideOthers = besideOthers;
    }

    String around(SitePage page) {
        PageBody body = new PageBody(page, map);
        boolean isHome = page.source().equals(SitePage.HOME);
        String outline = isHome ? "" : body.outline();
        return filled(Map.ofEntries(
                Map.entry("title", escaped(isHome ? "Floodgate" : page.title() + " · Floodgate")),
                Map.entry("root", page.toRoot()),
                Map.entry("kind", isHome ? "home" : "page"),
                Map.entry("versions", besideOthers ? page.to("../versions.json") : ""),
                Map.entry("version", escaped(SiteSources.version())),
                Map.entry("navigation", navigation(page)),
                Map.entry("outline", outline),
                Map.entry("hidden", outline.isEmpty() ? "hidden" : ""),
                Map.entry("group", escaped(groupOf(page))),
                Map.entry("body", body.html()),
                Map.entry("around", neighbours(page)),
                Map.entry("edit", "%s/edit/main/%s".formatted(SiteSources.repository(), page.source())),
                Map.entry("repository", SiteSources.repository())));
    }

    private String filled(Map<String, String> values) {
        Matcher matcher = PLACE.matcher(template);
        return matcher.replaceAll(place -> Matcher.quoteReplacement(values.getOrDefault(place.group(1), "")));
    }

    private String groupOf(SitePage page) {
        for (Group group : map.groups()) if (group.has(page)) return group.label();
        return "";
    }

    /** The group of the page is open, and so are the pages inside of its directory. */
    private String navigation(SitePage page) {
        var html = new StringBuilder();
        for (Group group : map.groups()) {
            boolean isNamed = !group.label().isEmpty();
            if (isNamed)
                html.append("<details%s><summary>%s</summary>\n"
                        .formatted(group.has(page) ? " open" : "", escaped(group.label())));
            html.append("<ul>\n");
            for (SitePage each : group.pages()) {
                html.append("<li>").append(link(each, page));
                List<SitePage> inside = group.children().getOrDefault(each.source(), List.of());
                if (each.equals(page) || inside.contains(page)) {
                    html.append("<ul>\n");
                    for (SitePage child : inside)
                        html.append("<li>").append(link(child, page)).append("</li>\n");
                    html.append("</ul>");
                }
                html.append("</li>\n");
            }
            html.append("</ul>\n");
            if (isNamed) html.append("</details>\n");
        }
        return html.toString();
    }

    private static String link(SitePage to, SitePage from) {
        String title = to.source().equals(SitePage.HOME) ? "Overview" : to.title();
        return "<a href=\"%s\"%s>%s</a>"
                .formatted(from.to(to.path()), to.equals(from) ? " aria-current=\"page\"" : "", escaped(title));
    }

    private String neighbours(SitePage page) {
        List<SitePage> all = map.pages();
        int at = all.indexOf(page);
        var html = new StringBuilder();
        if (at > 0)
            html.append("<a class=\"previous\" rel=\"prev\" href=\"%s\"><span>Previous</span> %s</a>\n"
                    .formatted(
                            page.to(all.get(at - 1).path()),
                            escaped(all.get(at - 1).title())));
        if (at < all.size() - 1)
            html.append("<a class=\"next\" rel=\"next\" href=\"%s\"><span>Next</span> %s</a>\n"
                    .formatted(
                            page.to(all.get(at + 1).path()),
                            escaped(all.get(at + 1).title())));
        return html.toString();
    }
}
