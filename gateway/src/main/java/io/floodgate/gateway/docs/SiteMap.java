package io.floodgate.gateway.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.StrongEmphasis;
import org.jspecify.annotations.Nullable;

/**
 * All pages, in the order of the index: each paragraph below its last heading that begins in bold is a group, and its
 * links are the pages. A page that is the index of a directory brings those that it links to in there.
 */
final class SiteMap {
    /** @param children of those pages that are an index, by their sources */
    record Group(String label, List<SitePage> pages, Map<String, List<SitePage>> children) {
        List<SitePage> all() {
            List<SitePage> all = new ArrayList<>();
            for (SitePage page : pages) {
                all.add(page);
                all.addAll(children.getOrDefault(page.source(), List.of()));
            }
            return all;
        }

        boolean has(SitePage page) {
            return all().contains(page);
        }
    }

    private final Map<String, SitePage> bySource = new LinkedHashMap<>();
    private final Map<String, SitePage> byPath = new LinkedHashMap<>();
    private final List<Group> groups = new ArrayList<>();

    SiteMap() {
        List<SitePage> first = new ArrayList<>();
        add(SitePage.HOME, first);
        add(SitePage.CONTENTS, first);
        groups.add(new Group("", first, Map.of()));
        for (Node node = afterLastHeading(); node != null; node = node.getNext())
            if (node instanceof Paragraph && node.getFirstChild() instanceof StrongEmphasis label)
                groups.add(group(Markdown.text(label).replaceFirst("\\.$", ""), node));
    }

    private static @Nullable Node afterLastHeading() {
        Node node = Markdown.parse(SiteSources.text(SitePage.CONTENTS)).getLastChild();
        while (node != null && !(node instanceof Heading)) node = node.getPrevious();
        return node;
    }

    private Group group(String label, Node paragraph) {
        List<SitePage> pages = new ArrayList<>();
        Map<String, List<SitePage>> children = new LinkedHashMap<>();
        for (String source : links(SitePage.CONTENTS, paragraph)) add(source, pages);
        for (SitePage page : pages) {
            if (!page.isIndex()) continue;
            List<SitePage> inside = new ArrayList<>();
            for (String source : links(page.source(), Markdown.parse(SiteSources.text(page.source()))))
                if (source.startsWith(page.directory())) add(source, inside);
            children.put(page.source(), inside);
        }
        return new Group(label, pages, children);
    }

    private void add(String source, List<SitePage> pages) {
        if (bySource.containsKey(source)) return;
        String title = Markdown.title(Markdown.parse(SiteSources.text(source)));
        SitePage page = new SitePage(source, SitePage.path(source), title);
        bySource.put(source, page);
        byPath.put(page.path(), page);
        pages.add(page);
    }

    /** Pages that a part of a page links to. */
    private static List<String> links(String from, Node part) {
        List<String> links = new ArrayList<>();
        part.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                String target = link.getDestination().replaceFirst("#.*", "");
                if (!target.endsWith(".md") || target.contains(":")) return;
                String source = SiteSources.resolved(from, target);
                if (SiteSources.exists(source)) links.add(source);
            }
        });
        return links;
    }

    List<Group> groups() {
        return groups;
    }

    List<SitePage> pages() {
        return List.copyOf(bySource.values());
    }

    @Nullable
    SitePage at(String path) {
        return byPath.get(path);
    }

    @Nullable
    SitePage of(String source) {
        return bySource.get(source);
    }
}
