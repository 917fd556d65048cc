/** The rules for every response, whatever the call. */
import type { CampaignRecord, Tenant } from './campaign-record.ts';
import { toSentRequest, type Call, type Corruption } from './call.ts';
import type { ForeignData } from './foreign-data.ts';
import type { PortalResponse } from './send-request.ts';

type CheckedCall = {
  readonly tenant: Tenant;
  /** Operators see all tenants. */
  readonly isOperator: boolean;
  readonly call: Call;
  /** Undefined for the valid call. */
  readonly corruption: Corruption | undefined;
  readonly answer: PortalResponse;
};

/** Far above the slowest response on a busy machine. */
const MAX_MS = 30_000;
/** Errors about the request as a whole, which don't name a field. */
const WITHOUT_FIELD: ReadonlySet<string> = new Set([
  'request.badly_formed',
  'request.cut_off',
  'request.too_large',
  // The error must not reveal the exact fault.
  'identity.passkey_rejected',
  // One of several fields is needed.
  'identity.no_proof',
]);

export function checkResponse(run: { readonly record: CampaignRecord; readonly foreign: ForeignData }, checkedCall: CheckedCall): void {
  const { tenant, isOperator, call, corruption, answer } = checkedCall;
  const callName = `${call.method} ${call.path}`;
  const describeExample = (): string => `${corruption?.description ?? 'the right call'} -> ${answer.status} ${answer.text.slice(0, 500)}`;
  if (answer.status >= 500 && !isUnreadableWebhook(call, answer)) run.record.find(`${answer.status} from ${callName}`, describeExample());
  if (answer.status === 0 && corruption?.sent !== undefined && !('bytes' in corruption.sent))
    run.record.find(`no answer from ${callName}`, describeExample());
  if (answer.milliseconds > MAX_MS)
    run.record.find(`${callName} took too long`, `${Math.round(answer.milliseconds)} ms: ${describeExample()}`);
  const isDone = answer.status >= 200 && answer.status < 300;
  if (corruption?.mustFail === true && isDone) run.record.find(`${callName} was carried out`, describeExample());
  if (!isOperator) {
    const sentBody = corruption === undefined || 'bytes' in corruption.sent ? toSentRequest(call) : corruption.sent;
    const request = `${decodeURIComponentSafely(sentBody.url)} ${String(sentBody.body ?? '')}`;
    const isStrangersSession = corruption?.description === 'session of a stranger';
    const foreignMatch = isStrangersSession ? undefined : run.foreign.findForeign(tenant, answer.text, request);
    if (foreignMatch !== undefined) run.record.find(`foreign data from ${callName}`, `${foreignMatch}: ${describeExample()}`);
  }
  if (answer.status === 400 && corruption?.field !== undefined) checkNamedField(run.record, callName, corruption, answer);
}

/**
 * If a signed webhook's shape differs from the provider's description, or its id is one that the provider itself rejects, the provider is at
 * fault. It gets a 502, so that it is redelivered once we can read it.
 */
export const UNREADABLE_WEBHOOK = /"(truelayer|identity_check|gocardless)\.(unavailable|refused)"/;
const isUnreadableWebhook = ({ path }: Call, { status, text }: PortalResponse): boolean =>
  path.startsWith('/portal/webhooks/') && status === 502 && UNREADABLE_WEBHOOK.test(text);

/** Checks that the error for a single invalid field names it. */
function checkNamedField(
  record: CampaignRecord,
  callName: string,
  { field = '', description }: Corruption,
  { text }: PortalResponse,
): void {
  const problem = parseProblem(text);
  if (problem === undefined) return record.find(`an error without a problem from ${callName}`, `${description} -> ${text.slice(0, 300)}`);
  const { code = '', message } = problem;
  if (WITHOUT_FIELD.has(code)) return;
  const messageFields = typeof message === 'object' && message !== null ? Object.keys(message).map((path) => path.split('.')[0]) : [];
  // A cursor is only valid for one sort order.
  if (messageFields.includes('cursor')) return;
  if (!messageFields.includes(field) && !isSameClient(field, messageFields)) {
    record.find(
      `the error of ${callName} for ${field} names ${messageFields.join(', ') || 'nothing'} (${code})`,
      `${description} -> ${text.slice(0, 300)}`,
    );
  }
}

/** The contract has two names for a client's id, and company_id may also refer to a client. */
const CLIENT_NAMES = ['client_id', 'client_company_id', 'company_id'];
const isSameClient = (field: string, fieldNames: readonly (string | undefined)[]): boolean =>
  CLIENT_NAMES.includes(field) && fieldNames.some((name) => CLIENT_NAMES.includes(name ?? ''));

function parseProblem(text: string): { code?: string; message?: unknown } | undefined {
  try {
    return JSON.parse(text) as { code?: string; message?: unknown };
  } catch {
    return undefined;
  }
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
