package io.floodgate.gateway.explain;

import org.jspecify.annotations.Nullable;

/** Values by name, for evidence and texts. */
interface Values {
    /** A number, a text, a time, a duration, a truth or a list; null if there is no such value. */
    @Nullable
    Object value(String name);

    /** @param names with spaces between them: {@code shown=name} shows a value under another name, and {@code name?} leaves out a 0 */
    default Evidence pick(String names) {
        Evidence evidence = new Evidence();
        for (String each : names.split(" ", -1)) {
            String name = each.substring(each.indexOf('=') + 1);
            String shown = each.substring(0, each.length() - name.length());
            boolean unlessZero = name.endsWith("?");
            if (unlessZero) name = name.substring(0, name.length() - 1);
            Object value = value(name);
            if (unlessZero && !Template.isPresent(value)) continue;
            evidence.with(shown.isEmpty() ? name : shown.substring(0, shown.length() - 1), value);
        }
        return evidence;
    }
}
