/** Runs the embedded engine in its own thread, because a long query on the main thread would block every request. */
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { createEngine } from './engine.ts';
import { ENGINE_FLAGS } from './engine-flags.ts';
import type { EngineData, Reply, SqlErrorFields, Statement } from './worker-protocol.ts';

const port = parentPort;
if (!port) throw new Error('pglite-worker.ts must run as a worker thread.');

for (const flag of ENGINE_FLAGS) setFlagsFromString(flag);
const run = await createEngine(workerData as EngineData);

function toErrorFields(error: unknown): SqlErrorFields {
  if (!(error instanceof Error)) return { message: String(error), fields: {} };
  const stringFields = Object.entries(error).filter(([, value]) => typeof value === 'string');
  return { message: error.message, fields: Object.fromEntries(stringFields) };
}

port.on('message', ({ id, statement }: { id: number; statement: Statement }) => {
  const reply = (message: Reply): void => {
    port.postMessage(message);
    if (statement.type === 'close') port.close();
  };
  run(statement).then(
    (statementResult) => reply({ id, ok: true, answer: statementResult }),
    (error: unknown) => reply({ id, ok: false, error: toErrorFields(error) }),
  );
});
port.postMessage('ready');
