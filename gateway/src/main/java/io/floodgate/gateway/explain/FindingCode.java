package io.floodgate.gateway.explain;

import io.floodgate.topics.json.WireName;

/** What a finding is about: stable, for programs. docs/reference/explanations.md is made of the rows. */
interface FindingCode extends WireName {
    int ordinal();

    /** All that is said about it. */
    Row row();

    /** The finding with the only severity that the code may have. */
    default Finding finding(FindingFacts facts) {
        return finding(row().severity(), facts);
    }

    default Finding finding(Severity severity, FindingFacts facts) {
        return row().finding(this, severity, facts);
    }
}
