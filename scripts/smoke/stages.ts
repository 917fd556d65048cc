/** Runs the stages in order and prints one line for each: its name, duration and result. */
import { NotReachedError, STAGE_TIMEOUT_MS } from './wait-until.ts';

/** A stage's result: the text for its line, and the value that later stages need. */
export type StageResult<Value> = { readonly figures: string; readonly value: Value };

export type Stages = {
  run<Value>(name: string, work: () => Promise<StageResult<Value>>, limitMs?: number): Promise<Value>;
};

const NAME_WIDTH = 20;
const TIME_WIDTH = 9;

/** Formats one line of the table: name, milliseconds, figures. */
export function formatStage(name: string, elapsedMs: number, figures: string): string {
  return `${name.padEnd(NAME_WIDTH)}${`${Math.round(elapsedMs)} ms`.padStart(TIME_WIDTH)}   ${figures}`;
}

export function createStages(print: (line: string) => void): Stages {
  return {
    run: async (name, work, limitMs = STAGE_TIMEOUT_MS) => {
      const startedAt = performance.now();
      try {
        const { figures, value } = await withTimeout(work(), limitMs);
        print(formatStage(name, performance.now() - startedAt, figures));
        return value;
      } catch (error) {
        print(formatStage(name, performance.now() - startedAt, `NOT REACHED: ${describeError(error)}`));
        throw error;
      }
    },
  };
}

/** Ends a stage that hangs. */
async function withTimeout<Value>(work: Promise<Value>, limitMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    // Slightly later than the stage's own timeouts, whose messages are more specific.
    timer = setTimeout(() => reject(new NotReachedError(`nothing happened within ${Math.round(limitMs / 1000)} s`)), limitMs + 2_000);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** `fetch` puts the reason for a failure into `cause`. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof TypeError && error.cause instanceof Error) {
    const code = 'code' in error.cause ? String(error.cause.code) : '';
    return code === 'ECONNREFUSED' ? 'nothing is running there. Is the portal started?' : `no connection: ${code || error.cause.message}`;
  }
  return error.message;
}
