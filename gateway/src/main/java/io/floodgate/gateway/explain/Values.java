package io.floodgate.gateway.explain;

import org.jspecify.annotations.Nullable;

/** Values by name, for evidence and texts. */
interface Values {
    /** A number, a text, a time, a duration, a truth or a list; null if there is no such value. */
    @Nullable
    Object value(String name);

    /**
     * @param names with spaces between them: {@code shown=name} shows a value under another name, {@code name?} leaves out a 0, and
     *     {@code name*} shows all values of evidence
     */
    default Evidence pick(String names) {
        Evidence evidence = new Evidence();
        for (String each : names.split(" ", -1)) {
            String name = each.substring(each.indexOf('=') + 1);
            String shown = each.substring(0, each.length() - name.length()).replace("=", "");
            String bare = name.replaceAll("[?*]$", "");
            Object value = value(bare);
            if (name.endsWith("?") && !Template.isPresent(value)) continue;
            if (name.endsWith("*") && value instanceof Evidence all)
                all.values().forEach(evidence::with);
            else evidence.with(shown.isEmpty() ? bare : shown, value);
        }
        return evidence;
    }
}
