package io.floodgate.gateway.docs;

import static io.floodgate.gateway.docs.CodeColors.escaped;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.renderer.html.HtmlRenderer;

/** What stands between header and footer of a page: its Markdown as HTML, and its headings. */
final class PageBody {
    /** A heading below that of the page. */
    record Section(String anchor, String title, int level) {}

    private static final Pattern EXTERNAL = Pattern.compile("[a-z]+:.*");
    private static final Pattern HEADING = Pattern.compile("<h([2-6]) id=\"([^\"]*)\">(.*?)</h\\1>");

    private final SitePage page;
    private final SiteMap map;
    private final String html;
    private final List<Section> sections = new ArrayList<>();
    private final Map<Node, String> anchors = new HashMap<>();

    PageBody(SitePage page, SiteMap map) {
        this.page = page;
        this.map = map;
        Node parsed = Markdown.parse(SiteSources.text(page.source()));
        parsed.accept(new Preparation());
        HtmlRenderer renderer = HtmlRenderer.builder()
                .extensions(Markdown.EXTENSIONS)
                .nodeRendererFactory(CodeColors::new)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    String anchor = anchors.get(node);
                    if (anchor != null) attributes.put("id", anchor);
                    if (node instanceof Link link
                            && EXTERNAL.matcher(link.getDestination()).matches()) attributes.put("rel", "noreferrer");
                })
                .build();
        html = finished(renderer.render(parsed));
    }

    String html() {
        return html;
    }

    List<Section> sections() {
        return sections;
    }

    /** Wide tables scroll by themselves, also by keys; sections can be linked to. */
    private static String finished(String html) {
        return HEADING.matcher(html.replace(
                                "<table>",
                                "<div class=\"table\" role=\"group\" aria-label=\"Table\" tabindex=\"0\"><table>")
                        .replace("</table>", "</table></div>")
                        .replace("<th></th>", "<td></td>")
                        .replace("<li>[ ] ", "<li class=\"todo\">"))
                .replaceAll(
                        "<h$1 id=\"$2\">$3 <a class=\"anchor\" href=\"#$2\" tabindex=\"-1\" aria-hidden=\"true\">#</a></h$1>");
    }

    /** Links lead to pages of the site, or into the repository; comments are left out. */
    private final class Preparation extends AbstractVisitor {
        private final Markdown.Anchors made = new Markdown.Anchors();

        @Override
        public void visit(Heading heading) {
            String anchor = made.of(heading);
            anchors.put(heading, anchor);
            if (heading.getLevel() > 1) sections.add(new Section(anchor, Markdown.text(heading), heading.getLevel()));
            visitChildren(heading);
        }

        @Override
        public void visit(Link link) {
            link.setDestination(target(link.getDestination()));
            visitChildren(link);
        }

        @Override
        public void visit(Image image) {
            String file = SiteSources.resolved(page.source(), image.getDestination());
            image.setDestination(page.to(file.replaceFirst("^docs/", "")));
        }

        @Override
        public void visit(HtmlBlock block) {
            block.unlink();
        }
    }

    private String target(String link) {
        if (link.startsWith("#") || EXTERNAL.matcher(link).matches()) return link;
        int hash = link.indexOf('#');
        String anchor = hash < 0 ? "" : link.substring(hash);
        String source = SiteSources.resolved(page.source(), hash < 0 ? link : link.substring(0, hash));
        SitePage other = map.of(source);
        if (other != null) return page.to(other.path()) + anchor;
        return "%s/blob/v%s/%s%s".formatted(SiteSources.repository(), SiteSources.version(), source, anchor);
    }

    /** The headings, for those who want to see what is on a page. */
    String outline() {
        var list = new StringBuilder();
        for (Section section : sections)
            if (section.level() <= 3)
                list.append("<li class=\"level%d\"><a href=\"#%s\">%s</a></li>\n"
                        .formatted(section.level(), section.anchor(), escaped(section.title())));
        return list.toString();
    }
}
