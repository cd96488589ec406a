-- The outbox of Floodgate: a row that a transaction inserts becomes a job once the transaction has been committed.
-- PostgreSQL 14 or newer. Can be executed again, and in any schema: names are those of the search path.

-- An id for a job: a UUIDv7.
CREATE OR REPLACE FUNCTION floodgate_job_id() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
BEGIN ATOMIC
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
    52, 1), 53, 1), 'hex')::uuid;
END;

CREATE TABLE IF NOT EXISTS floodgate_outbox (
  queue      text COLLATE "C" NOT NULL DEFAULT 'default',
  -- Rows of a queue become jobs in this order, as far as they can be seen: a row is seen when it is committed.
  position   bigint GENERATED ALWAYS AS IDENTITY,
  -- Of the job. A row with the id of a job that is there, finished or not, is taken for that job.
  id         uuid NOT NULL DEFAULT floodgate_job_id(),
  type       text NOT NULL,
  args       jsonb NOT NULL DEFAULT '[]',
  -- Further fields of the job: priority, scheduled_at, order_key, unique, meta, retry, tags ...
  options    jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (queue, position),
  CONSTRAINT floodgate_outbox_args_is_array CHECK (jsonb_typeof(args) = 'array'),
  CONSTRAINT floodgate_outbox_options_is_object CHECK (jsonb_typeof(options) = 'object'),
  CONSTRAINT floodgate_outbox_one_mebibyte CHECK (octet_length(args::text) + octet_length(options::text) <= 1048576)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Rows that can never be jobs, and why. They stay until you delete them.
CREATE TABLE IF NOT EXISTS floodgate_outbox_rejected (
  id          uuid NOT NULL,
  queue       text COLLATE "C" NOT NULL,
  type        text NOT NULL,
  args        jsonb NOT NULL,
  options     jsonb NOT NULL,
  created_at  timestamptz NOT NULL,
  rejected_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  code        text NOT NULL,
  message     text NOT NULL
);

-- Enqueues a job if the transaction is committed, and returns its id. Needs the right to insert into floodgate_outbox.
CREATE OR REPLACE FUNCTION floodgate_enqueue(
  type text, args jsonb DEFAULT '[]', queue text DEFAULT 'default', options jsonb DEFAULT '{}')
RETURNS uuid LANGUAGE sql VOLATILE
BEGIN ATOMIC
  WITH job AS MATERIALIZED (SELECT floodgate_job_id() AS id),
  inserted AS (
    INSERT INTO floodgate_outbox (id, type, args, queue, options)
    SELECT job.id, floodgate_enqueue.type, floodgate_enqueue.args, floodgate_enqueue.queue, floodgate_enqueue.options
    FROM job)
  SELECT id FROM job;
END;
