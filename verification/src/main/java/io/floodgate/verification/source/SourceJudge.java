package io.floodgate.verification.source;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judges what became of a topic's records: by what its producer knows, and by the jobs that events name.
 *
 * @param written numbers of the records that the broker has acknowledged
 * @param tried numbers of all records that may be there
 * @param jobs the jobs in the order in which they came in
 * @param records the number of the record that a job was seen to be of
 * @param keys how many keys the records have in turn
 */
record SourceJudge(
        Set<Integer> written, Set<Integer> tried, List<String> jobs, Map<String, Integer> records, int keys) {

    private Map<Integer, Set<String>> byRecord() {
        Map<Integer, Set<String>> byRecord = new TreeMap<>();
        for (String job : jobs) {
            Integer record = records.get(job);
            if (record != null)
                byRecord.computeIfAbsent(record, each -> new TreeSet<>()).add(job);
        }
        return byRecord;
    }

    List<String> lost() {
        Set<Integer> came = byRecord().keySet();
        return written.stream()
                .filter(record -> !came.contains(record))
                .map("record %d is no job"::formatted)
                .toList();
    }

    List<String> doubled() {
        return byRecord().entrySet().stream()
                .filter(record -> record.getValue().size() > 1)
                .map(record -> "record %d is the jobs %s".formatted(record.getKey(), record.getValue()))
                .toList();
    }

    /** Jobs of no record, and jobs that no worker ever got. */
    List<String> invented() {
        return jobs.stream()
                .filter(job -> !records.containsKey(job) || !tried.contains(records.get(job)))
                .map(job -> "job %s is of record %s".formatted(job, records.get(job)))
                .toList();
    }

    /** Records of a key are in one partition, in the order of their numbers. */
    List<String> disorder() {
        List<String> broken = new ArrayList<>();
        Map<Integer, Integer> last = new HashMap<>();
        for (String job : jobs) {
            Integer record = records.get(job);
            if (record == null) continue;
            Integer before = last.put(record % keys, record);
            if (before != null && before > record)
                broken.add("record %d came in after record %d of its key".formatted(record, before));
        }
        return broken;
    }
}
