package io.floodgate.gateway.docs;

import java.util.Locale;

/**
 * A page of the documentation.
 *
 * @param source its file, from the root of the repository
 * @param path its address, from the root of the site
 */
record SitePage(String source, String path, String title) {
    private static final String DOCS = "docs/";
    private static final String README = "README.md";
    static final String HOME = README;
    static final String CONTENTS = DOCS + README;

    /** The address of a source. Every README is the index of its directory; two of them would be that of the site. */
    static String path(String source) {
        if (source.equals(CONTENTS)) return "contents.html";
        if (source.equals("CONTRIBUTING.md")) return "contributing/index.html";
        String path = source.startsWith(DOCS) ? source.substring(DOCS.length()) : source;
        if (path.endsWith(README)) return path.substring(0, path.length() - README.length()) + "index.html";
        return lower(path.substring(0, path.length() - ".md".length())) + ".html";
    }

    private static String lower(String path) {
        return path.indexOf('/') < 0 ? path.toLowerCase(Locale.ROOT) : path;
    }

    boolean isIndex() {
        return source.endsWith("/" + README);
    }

    String directory() {
        return source.substring(0, source.lastIndexOf('/') + 1);
    }

    /** From the directory of this page to the root of the site. */
    String toRoot() {
        return "../".repeat((int) path.chars().filter(each -> each == '/').count());
    }

    /** The address of another file of the site, as this page refers to it. */
    String to(String other) {
        return toRoot() + other;
    }
}
