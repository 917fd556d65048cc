/** Client for Self Assessment Accounts 4.0 and Obligations 3.0. Every failure is a ProviderError; nothing is retried. */
import type { HmrcCall } from '../hmrc/hmrc-types.ts';
import { parseHmrcError, readResponse, sendToHmrc, type HmrcResponse } from '../hmrc/send-to-hmrc.ts';
import type { AgentClientDeps } from './agent-authorisation-client.ts';
import { mapAccount, mapCharges, mapDeclarations, mapPayments, mapUpdates } from './self-assessment-map.ts';
import type { SelfAssessmentClient, UpdatesQuery } from './self-assessment-port.ts';
import { balanceWire, declarationsWire, saPaymentsWire, updatesWire } from './self-assessment-wire.ts';

/** Creates the client, which is stateless. */
export function createSelfAssessmentClient(deps: AgentClientDeps): SelfAssessmentClient {
  const read = (call: HmrcCall, operation: string, version: '3.0' | '4.0', path: string): Promise<HmrcResponse> =>
    sendToHmrc(deps, {
      operation,
      method: 'GET',
      effect: 'read',
      url: `${deps.apiUrl}/${path}`,
      headers: {
        ...call.fraudHeaders,
        accept: `application/vnd.hmrc.${version}+json`,
        authorization: `Bearer ${call.accessToken}`,
      },
    });
  const readBalance = (call: HmrcCall, nino: string, query: string) =>
    read(call, 'hmrc.sa_balance', '4.0', `accounts/self-assessment/${encodeURIComponent(nino)}/balance-and-transactions?${query}`);
  return {
    findAccount: async (call, nino) => {
      // One call returns all open items, with interest to date as calculated by HMRC.
      const hmrcResponse = await readBalance(call, nino, 'onlyOpenItems=true&calculateAccruedInterest=true');
      return isNotFound(hmrcResponse) ? undefined : readResponse(hmrcResponse, 200, balanceWire, mapAccount);
    },
    listCharges: async (call, nino, { from, to }) => {
      const hmrcResponse = await readBalance(call, nino, `fromDate=${from}&toDate=${to}`);
      return isNotFound(hmrcResponse) ? [] : readResponse(hmrcResponse, 200, balanceWire, mapCharges);
    },
    listPayments: async (call, nino, { from, to }) => {
      const path = `accounts/self-assessment/${encodeURIComponent(nino)}/payments-and-allocations?fromDate=${from}&toDate=${to}`;
      const hmrcResponse = await read(call, 'hmrc.sa_payments', '4.0', path);
      return isNotFound(hmrcResponse) ? [] : readResponse(hmrcResponse, 200, saPaymentsWire, mapPayments);
    },
    listUpdates: async (call, nino, query) => {
      const path = `obligations/details/${encodeURIComponent(nino)}/income-and-expenditure?${toUpdatesQuery(query)}`;
      const hmrcResponse = await read(call, 'hmrc.sa_updates', '3.0', path);
      return isNotFound(hmrcResponse) ? [] : readResponse(hmrcResponse, 200, updatesWire, mapUpdates);
    },
    listDeclarations: async (call, nino, query = {}) => {
      const parameters = new URLSearchParams(query).toString();
      const path = `obligations/details/${encodeURIComponent(nino)}/crystallisation${parameters === '' ? '' : `?${parameters}`}`;
      const hmrcResponse = await read(call, 'hmrc.sa_declarations', '3.0', path);
      return isNotFound(hmrcResponse) ? [] : readResponse(hmrcResponse, 200, declarationsWire, mapDeclarations);
    },
  };
}

function toUpdatesQuery(query: UpdatesQuery): URLSearchParams {
  const { status } = query;
  return new URLSearchParams({ ...('from' in query ? { fromDate: query.from, toDate: query.to } : {}), ...(status ? { status } : {}) });
}

/** The gateway uses the same code for an unknown path as for a taxpayer without data. Only the service itself sends X-CorrelationId. */
function isNotFound(hmrcResponse: HmrcResponse): boolean {
  if (hmrcResponse.status !== 404 || !hmrcResponse.headers.has('x-correlationid')) return false;
  const code = parseHmrcError(hmrcResponse.bodyText)?.code;
  return code === 'MATCHING_RESOURCE_NOT_FOUND' || code === 'NO_OBLIGATIONS_FOUND';
}
