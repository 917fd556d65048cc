/** Checks one operation with one fault at one of its calls: the client's error, and whether the operation works again afterwards. */
import { isDeepStrictEqual } from 'node:util';
import { ProviderError, type ProviderFailure } from '@portal/providers/http/provider-error.ts';
import { LIMIT_MS, passWindow, type FaultTestBed } from './bed.ts';
import { RETRY_AFTER_SECONDS, type Fault, type RecordedCall } from './fault-proxy.ts';
import type { OperationCase } from './operation-case.ts';

export type Cell = { readonly operation: string; readonly operationCase: OperationCase; readonly fault: Fault; readonly call: number };

/** Returns the calls that an operation makes without a fault: its token, its keys, its pages. */
export async function countCalls(testBed: FaultTestBed, { prepare }: OperationCase): Promise<readonly RecordedCall[]> {
  const run = await prepare(testBed, testBed.newClients());
  await testBed.proxy.end();
  await run(testBed.newClients());
  return [...testBed.proxy.seen];
}

/** Returns one sentence for each violated rule; undefined if a busy machine ended an earlier call, so that the fault was never reached. */
export async function checkCall(testBed: FaultTestBed, { operation, operationCase, fault, call }: Cell): Promise<string[] | undefined> {
  const { effect, prepare, countEffects, worksOnce, differsEachTime, hasEmptyAnswer } = operationCase;
  const run = await prepare(testBed, testBed.newClients());
  const clients = testBed.newClients();
  // The result of a read without a fault. For a write, the work would already be done.
  const expectedResult = effect === 'read' && !differsEachTime ? await run(testBed.newClients()) : undefined;
  await testBed.proxy.begin(fault, call);
  const startedAt = performance.now();
  const settledCall = await settle(() => run(clients));
  const milliseconds = performance.now() - startedAt;
  const failedCall = testBed.proxy.seen[call - 1];
  await testBed.proxy.end();
  if (failedCall === undefined && fault !== 'refused connection' && fault !== 'expired certificate') return undefined;
  const findings: string[] = [];
  if (settledCall.isDone) {
    // Either the call was retried or the result doesn't depend on it, so the result must be the same as usual.
    const isUnreadSuccess = hasEmptyAnswer === true && fault.startsWith('malformed');
    if (!isUnreadSuccess && (expectedResult === undefined || !isDeepStrictEqual(settledCall.value, expectedResult)))
      findings.push(`answered ${describeValue(settledCall.value)}`);
  } else findings.push(...checkFailure(settledCall.error, fault, operationCase, failedCall));
  if (milliseconds > 4 * LIMIT_MS + 10_000) findings.push(`took ${Math.round(milliseconds)} ms`);
  if (
    !settledCall.isDone &&
    settledCall.error instanceof ProviderError &&
    settledCall.error.facts.provider === 'companies_house' &&
    settledCall.error.failure === 'throttled'
  )
    passWindow(testBed);
  const repeatedOutcome = await settleRepeat(async () =>
    worksOnce ? (await prepareRepeat(testBed, operationCase, run))(clients) : run(clients),
  );
  if (!repeatedOutcome.isDone) findings.push(`doesn’t work afterwards: ${describeValue(repeatedOutcome.error)}`);
  else if (expectedResult !== undefined && !isDeepStrictEqual(repeatedOutcome.value, expectedResult))
    findings.push('gives another answer afterwards');
  const effects = countEffects?.(testBed);
  if (effects !== undefined && effects !== 1) findings.push(`was done ${effects} times`);
  return findings.map(
    (finding) => `${operation}, ${fault} at call ${call} (${failedCall?.method ?? ''} ${failedCall?.path.split('?')[0] ?? ''}): ${finding}`,
  );
}

/**
 * Repeats the preparation of an operation that works only once, as a user would start again. If the operation wasn't carried out, the
 * original arguments still work.
 */
async function prepareRepeat(
  testBed: FaultTestBed,
  { prepare }: OperationCase,
  run: (clients: ReturnType<FaultTestBed['newClients']>) => Promise<unknown>,
) {
  const first = await settle(() => run(testBed.newClients()));
  return first.isDone ? async () => first.value : prepare(testBed, testBed.newClients());
}

type SettledCall = { readonly isDone: true; readonly value: unknown } | { readonly isDone: false; readonly error: unknown };

async function settle(work: () => Promise<unknown>): Promise<SettledCall> {
  try {
    return { isDone: true, value: await work() };
  } catch (error) {
    return { isDone: false, error };
  }
}

/** On a busy machine, a call may exceed the campaign's short time limit. */
const MAX_TRIES = 3;

async function settleRepeat(work: () => Promise<unknown>): Promise<SettledCall> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await settle(work);
    if (outcome.isDone || tries === MAX_TRIES) return outcome;
  }
}

function checkFailure(
  error: unknown,
  fault: Fault,
  { effect, isAlwaysUnavailable }: OperationCase,
  call: RecordedCall | undefined,
): string[] {
  if (!(error instanceof ProviderError)) return [`failed with ${describeValue(error)}, instead of a ProviderError`];
  const allowedOutcomes = isAlwaysUnavailable ? (['unavailable'] as const) : listAllowedFailures(fault, effect, call);
  const findings: string[] = [];
  if (!allowedOutcomes.includes(error.failure))
    findings.push(`failed as ${error.failure} (${error.message}), not as ${allowedOutcomes.join(' or ')}`);
  if (fault.startsWith('throttled with') && error.failure === 'throttled' && error.facts.provider !== 'companies_house') {
    const seconds = error.facts.retryAfterSeconds;
    if (seconds !== RETRY_AFTER_SECONDS) findings.push(`says retry after ${seconds ?? 'no'} seconds`);
  }
  if (fault === 'expired certificate' && !hasCode(error, 'CERT_HAS_EXPIRED'))
    findings.push(`doesn’t name the certificate: ${describeValue(error.cause)}`);
  return findings;
}

function hasCode(error: unknown, code: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if ('code' in cause && cause.code === code) return true;
  return false;
}

/** Returns the permitted failures. Only a write's own call, if it reached the provider, may have been carried out. */
function listAllowedFailures(fault: Fault, effect: OperationCase['effect'], call: RecordedCall | undefined): readonly ProviderFailure[] {
  if (fault.startsWith('throttled')) return ['throttled'];
  if (fault === 'refused connection' || fault === 'expired certificate') return ['unavailable'];
  if (effect === 'read') return ['unavailable'];
  const isOwnCall = call?.method !== 'GET';
  // Getting a token for the application itself has no effect: without it, the request was never made.
  const isOwnToken = (call?.path ?? '').endsWith('/connect/token') && !/xero|google|microsoft|intuit|freeagent/.test(call?.path ?? '');
  return isOwnCall && !isOwnToken ? ['unknown'] : ['unavailable'];
}

function describeValue(value: unknown): string {
  if (value instanceof Error)
    return `${value.name}: ${value.message}${value instanceof ProviderError ? ` ${JSON.stringify(value.facts)}` : ''}`.slice(0, 300);
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200);
}
