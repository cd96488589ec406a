package io.floodgate.processor.queue;

import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import org.junit.jupiter.api.Test;

/** Workers that take some versions of a type (OJS job versioning §8.2). */
class FetchByVersionTest extends PartitionTest {
    private static final String TYPE = "invoice.generate";

    private static Commands.Job invoice(String name, String version) {
        return enqueue(name).type(TYPE).member("version", '"' + version + '"');
    }

    private static Commands.Taking one() {
        return fetch().count(10).accepting(TYPE, ">=1.0 <2.0");
    }

    private static Commands.Taking two() {
        return fetch().count(10).accepting(TYPE, "2.x");
    }

    @Test
    void a_versioned_job_goes_to_a_compatible_worker_only() {
        log.receives(invoice("v1", "1.0"), invoice("v2", "2.0"), invoice("v1.1", "1.1"), invoice("v2.1", "2.1.7"));
        log.receives(one()).replies().jobs("v1", "v1.1");
        log.receives(one()).replies().nothing();
        log.receives(two()).replies().jobs("v2", "v2.1");
    }

    @Test
    void it_stays_available_and_jobs_behind_it_do_not_wait() {
        log.receives(invoice("v3", "3.0"), enqueue("other").type("email.send"), invoice("v1", "1.0"));
        log.receives(one()).replies().jobs("other", "v1");
        log.receives(Commands.getJob("v3")).replies().shown().is("available");
        log.receives(fetch().accepting(TYPE, ">=3.0")).replies().jobs("v3");
    }

    @Test
    void a_job_that_no_worker_accepts_says_so_and_so_does_its_queue() {
        log.receives(invoice("v3", "3.0"), one()).replies().nothing();
        log.receives(Commands.getJob("v3"))
                .replies()
                .shown()
                .shows("waiting.reason", "version_not_accepted")
                .shows("waiting.job_version", "3.0");
        log.receives(Commands.ask(new ExplainQueue(Commands.QUEUE)))
                .replies()
                .shown()
                .shows("ready.versions_not_accepted.0.version", "3.0")
                .shows("ready.versions_not_accepted.0.jobs", 1)
                .showsJson("fetched_types.0.accept_versions", "[\"invoice.generate 1.x\"]");
    }

    @Test
    void an_unversioned_job_goes_to_any_worker() {
        log.receives(enqueue("plain").type(TYPE));
        log.receives(one()).replies().jobs("plain");
    }

    @Test
    void types_that_the_fetch_does_not_name_are_taken_in_any_version() {
        log.receives(enqueue("mail").type("email.send").member("version", "7"));
        log.receives(one()).replies().jobs("mail");
    }

    @Test
    void a_worker_that_says_nothing_takes_any_version() {
        log.receives(invoice("v1", "1.0"), invoice("odd", "blue"));
        log.receives(fetch().count(10)).replies().jobs("v1", "odd");
    }

    @Test
    void a_version_without_numbers_goes_to_who_takes_any() {
        log.receives(invoice("odd", "blue"));
        log.receives(fetch().accepting(TYPE, ">=0")).replies().nothing();
        log.receives(fetch().accepting(TYPE, "*")).replies().jobs("odd");
    }

    @Test
    void an_integer_is_a_major_version() {
        log.receives(enqueue("j").type(TYPE).member("version", "2"));
        log.receives(one()).replies().nothing();
        log.receives(two()).replies().jobs("j");
    }

    @Test
    void the_version_may_stand_behind_the_type() {
        log.receives(enqueue("j").type(TYPE + "@2.0"));
        log.receives(one()).replies().nothing();
        log.receives(two().only(TYPE).accepting(TYPE, "2.0")).replies().jobs("j");
    }

    @Test
    void together_with_types() {
        log.receives(invoice("v1", "1.0"), enqueue("mail").type("email.send"), invoice("v2", "2.0"));
        log.receives(fetch().count(10).only(TYPE).accepting(TYPE, "2.x"))
                .replies()
                .jobs("v2");
        log.receives(fetch().count(10).allBut(TYPE).accepting(TYPE, "1.x"))
                .replies()
                .jobs("mail");
    }

    @Test
    void jobs_keep_their_versions_in_a_restart_and_in_retries() {
        log.receives(invoice("v2", "2.0"));
        log.restarts();
        log.receives(one()).replies().nothing();
        log.receives(two()).replies().jobs("v2");
        log.receives(nack("v2")).after(ofSeconds(60));
        log.receives(one()).replies().nothing();
        log.receives(two()).replies().jobs("v2");
        log.receives(ack("v2"));
    }

    @Test
    void behind_very_many_of_another_version_it_finds_its_own() {
        for (int i = 0; i < 500; i++) log.receives(invoice("old" + i, "1.0"));
        log.receives(invoice("new", "2.0"));
        log.receives(fetch().accepting(TYPE, "2.x")).replies().jobs("new");
    }

    @Test
    void versions_that_look_alike_in_the_order_are_distinguished() {
        log.receives(invoice("far", "1.8"), invoice("near", "1.6"));
        log.receives(fetch().accepting(TYPE, "1.6")).replies().jobs("near");
        log.receives(fetch().accepting(TYPE, "1.6")).replies().nothing();
    }
}
