// The README's first example, by a client whose types are generated from the OpenAPI document.
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

declare const process: { argv: string[]; exit(code: number): void };

const client = createClient<paths>({ baseUrl: process.argv[2] });

async function main(): Promise<void> {
  const made = await client.POST('/ojs/v1/jobs', { body: { type: 'email.send', queue: 'email', args: ['ada@example.com'] } });
  if (made.error) throw new Error(made.error.error.message);
  const fetched = await client.POST('/ojs/v1/workers/fetch', { body: { queues: ['email'], worker_id: 'me' } });
  const id = fetched.data?.jobs[0]?.id;
  if (id !== made.data.job.id) throw new Error(`fetched ${id} instead of ${made.data.job.id}`);
  await client.POST('/ojs/v1/workers/ack', { body: { job_id: id, worker_id: 'me' } });
  const done = await client.GET('/ojs/v1/jobs/{id}', { params: { path: { id } } });
  console.log(done.data?.job.state);
}

main().catch(failed => { console.error(failed); process.exit(1); });
