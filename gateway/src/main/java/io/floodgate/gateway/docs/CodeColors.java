package io.floodgate.gateway.docs;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;

/** Comments, strings and words of languages in listings, by one pattern for each family of languages. */
final class CodeColors implements NodeRenderer {
    private static final String STRING = "\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'";
    private static final String HASH = "(?<![^\\s])#[^\n]*";
    private static final String SLASHES = "(?<!:)//[^\n]*|/\\*.*?\\*/";

    private static final Pattern SHELL = pattern(HASH, STRING, "if|then|else|fi|for|in|do|done|while|case|esac|export");
    private static final Pattern DATA = pattern(HASH, STRING, "true|false|null");
    private static final Pattern SCRIPT = pattern(
            HASH,
            "\"\"\".*?\"\"\"|" + STRING,
            "def|class|end|do|if|elif|else|unless|while|for|in|return|import|from|require|with|as|try|except|rescue"
                    + "|begin|ensure|raise|and|or|not|lambda|yield|async|await|True|False|None|nil|true|false|self|module");
    private static final Pattern BRACES = pattern(
            SLASHES,
            "\"\"\".*?\"\"\"|`[^`]*`|" + STRING,
            "abstract|async|await|boolean|break|case|catch|class|const|continue|default|do|else|enum|export|extends"
                    + "|false|final|finally|for|from|func|function|go|if|implements|import|instanceof|int|interface|let|long"
                    + "|new|nil|null|package|permits|private|protected|public|range|record|return|sealed|static|struct"
                    + "|switch|this|throw|throws|true|try|type|var|void|while");

    private static final Map<String, Pattern> LANGUAGES = Map.ofEntries(
            Map.entry("sh", SHELL),
            Map.entry("bash", SHELL),
            Map.entry("yaml", DATA),
            Map.entry("properties", DATA),
            Map.entry("json", DATA),
            Map.entry("python", SCRIPT),
            Map.entry("ruby", SCRIPT),
            Map.entry("java", BRACES),
            Map.entry("javascript", BRACES),
            Map.entry("js", BRACES),
            Map.entry("typescript", BRACES),
            Map.entry("ts", BRACES),
            Map.entry("go", BRACES),
            Map.entry("rust", BRACES));

    private final HtmlNodeRendererContext context;

    CodeColors(HtmlNodeRendererContext context) {
        this.context = context;
    }

    private static Pattern pattern(String comment, String string, String words) {
        return Pattern.compile(
                "(?<c>%s)|(?<s>%s)|(?<k>\\b(?:%s)\\b)".formatted(comment, string, words), Pattern.DOTALL);
    }

    @Override
    public Set<Class<? extends Node>> getNodeTypes() {
        return Set.of(FencedCodeBlock.class);
    }

    @Override
    public void render(Node node) {
        FencedCodeBlock block = (FencedCodeBlock) node;
        String info = block.getInfo() == null ? "" : block.getInfo();
        String language = info.strip().split("\\s+", 2)[0];
        var out = context.getWriter();
        out.line();
        out.raw("<pre tabindex=\"0\"><code>");
        out.raw(html(block.getLiteral(), language));
        out.raw("</code></pre>");
        out.line();
    }

    static String html(String code, String language) {
        if (language.equals("diff")) return diff(code);
        Pattern pattern = LANGUAGES.get(language);
        if (pattern == null) return escaped(code);
        var html = new StringBuilder();
        Matcher matcher = pattern.matcher(code);
        int end = 0;
        while (matcher.find()) {
            html.append(escaped(code.substring(end, matcher.start())));
            String kind = matcher.group("c") != null ? "c" : matcher.group("s") != null ? "s" : "k";
            span(html, kind, matcher.group());
            end = matcher.end();
        }
        return html.append(escaped(code.substring(end))).toString();
    }

    private static String diff(String code) {
        var html = new StringBuilder();
        for (String line : code.split("(?<=\n)", -1)) {
            if (line.startsWith("+")) span(html, "s", line);
            else if (line.startsWith("-")) span(html, "d", line);
            else html.append(escaped(line));
        }
        return html.toString();
    }

    private static void span(StringBuilder html, String kind, String text) {
        html.append("<span class=\"")
                .append(kind)
                .append("\">")
                .append(escaped(text))
                .append("</span>");
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
