/** Starts the HMRC simulator with an agent who has authorised the app for everything that a practice needs. */
import { plainDate } from '@portal/domain/plain-date.ts';
import { buildFraudHeaders } from '@portal/providers/hmrc/fraud-headers.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-types.ts';
import { requestApplicationToken, COMPLETE_FACTS, startHmrc, type StartedHmrc, type StartOptions } from '../../hmrc/testing/start-hmrc.ts';
import { OAKLINE } from '../../portfolio/oakline.ts';
import { createAgentAuthorisationClient } from '@portal/providers/hmrc-agent/agent-authorisation-client.ts';
import { createAgentControls } from '../agent-controls.ts';
import { AGENT_SCOPES } from '@portal/providers/hmrc-agent/agent-scopes.ts';
import { createSelfAssessmentClient } from '@portal/providers/hmrc-agent/self-assessment-client.ts';
import { createVatPenaltiesClient } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';

/** A Saturday: returns for quarters ending in September are overdue, those ending in October are still open. */
export const TEST_TIME = '2026-11-21T10:00:00Z';

export type RawCall = { method?: string; headers?: Record<string, string>; body?: unknown };

/** Starts Oakline with a portfolio of `clients` clients. */
export async function startAgent(options: StartOptions & { clients?: number } = {}) {
  const hmrc = await startHmrc({ now: TEST_TIME, ...options });
  const agents = createAgentControls(hmrc.deps);
  const portfolio = agents.loadPortfolio({ clients: options.clients ?? 400, seed: 1, today: plainDate('2026-11-21') });
  const call = await authorise(hmrc, OAKLINE.hmrcUserId);
  /** Makes a raw call, by default with the agent's access token. */
  const send = (path: string, { method = 'GET', headers = {}, body }: RawCall = {}) =>
    hmrc.fetch(`${hmrc.apiUrl}${path}`, {
      method,
      headers: {
        accept: 'application/vnd.hmrc.2.0+json',
        authorization: `Bearer ${call.accessToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    hmrc,
    agents,
    portfolio,
    arn: OAKLINE.arn,
    call,
    send,
    authorisation: createAgentAuthorisationClient(hmrc.clientDeps),
    selfAssessment: createSelfAssessmentClient(hmrc.clientDeps),
    penalties: createVatPenaltiesClient(hmrc.clientDeps),
  };
}
export type StartedAgent = Awaited<ReturnType<typeof startAgent>>;

/** Signs the user in and returns an access token with all scopes that a practice needs. */
export async function authorise(
  hmrc: StartedHmrc,
  userId: string,
  scopes: readonly (typeof AGENT_SCOPES)[number][] = AGENT_SCOPES,
): Promise<HmrcCall> {
  const url = new URL(hmrc.client.authorizeUrl({ state: 'state', scopes }));
  url.searchParams.set('sandbox_user', userId);
  const redirectResponse = await fetch(url, { redirect: 'manual' });
  const code = new URL(redirectResponse.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const { accessToken } = await hmrc.client.exchangeCode({ code });
  return { accessToken, fraudHeaders: buildFraudHeaders(COMPLETE_FACTS) };
}

export type AgentUser = {
  readonly userId: string;
  readonly agentServicesAccountNumber?: string;
  readonly nino?: string;
  readonly vrn?: string;
};

/** Creates a test user through HMRC's API. */
export async function createUser(
  hmrc: StartedHmrc,
  kind: 'agents' | 'individuals' | 'organisations',
  serviceNames: readonly string[],
): Promise<AgentUser> {
  const response = await hmrc.fetch(`${hmrc.apiUrl}/create-test-user/${kind}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await requestApplicationToken(hmrc)}`, accept: 'application/vnd.hmrc.1.0+json' },
    body: JSON.stringify({ serviceNames }),
  });
  return (await response.json()) as AgentUser;
}

/** Returns the status and error code of a response. */
export async function readError(response: Response): Promise<[number, string | undefined]> {
  const responseText = await response.text();
  return [response.status, responseText === '' ? undefined : (JSON.parse(responseText) as { code?: string }).code];
}
