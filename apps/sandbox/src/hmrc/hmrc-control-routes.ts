/** Control routes for the HMRC simulator: test organisations, their situations, and repayment claims. */
import type { FastifyRequest } from 'fastify';
import { searchParams } from '../simulator/request.ts';
import { HMRC_SITUATIONS, type HmrcControls } from './hmrc-controls.ts';
import { REPAYMENT_STAGES } from './hmrc-records.ts';
import {
  toText,
  readAccount,
  sendResult,
  readChoice,
  readInput,
  readText,
  readWholeNumber,
  type ControlRoute,
  type ControlInput,
} from '../control/control-call.ts';
import { HMRC_PAGE, renderHmrcControlPage } from './hmrc-control-page.ts';
import { sendPage } from '../control/page.ts';
import { readPence } from '../control/format.ts';

const HISTORY_KINDS = ['exporter', 'payer', 'dormant'] as const;

export function hmrcControlRoutes(hmrc: HmrcControls): ControlRoute[] {
  return [
    { method: 'GET', url: HMRC_PAGE, handler: async (_request, reply) => sendPage(reply, 'HMRC', await renderHmrcControlPage(hmrc)) },
    ...listRoutes(hmrc),
    ...claimRoutes(hmrc),
    createOrganisationRoute(hmrc),
    ...traderRoutes(hmrc),
    nameRoute(hmrc),
    ...externalReturnRoutes(hmrc),
  ];
}

function listRoutes(hmrc: HmrcControls): ControlRoute[] {
  const readVrn = (request: FastifyRequest): string | undefined => searchParams(request).get('vrn') ?? undefined;
  return [
    {
      method: 'GET',
      url: `${HMRC_PAGE}/organisations`,
      summary: 'Test organisations with VAT: sign-in, VAT number, obligations.',
      responseExample: '{"organisations": [{"user_id", "password", "organisation_name", "vrn", "stagger", "obligations": [...]}]}',
      handler: async (_request, reply) => reply.send(toSnakeCase({ organisations: await hmrc.listOrganisations() })),
    },
    {
      method: 'GET',
      url: `${HMRC_PAGE}/repayments`,
      summary: 'Repayment claims, oldest first; ?vrn= for one trader. Amounts in pence.',
      responseExample: '{"repayments": [{"vrn", "period_key", "claimed_pence", "stage", "stages", "paid"?}]}',
      handler: (request, reply) => reply.send(toSnakeCase({ repayments: hmrc.listRepayments(readVrn(request)) })),
    },
    {
      method: 'GET',
      url: `${HMRC_PAGE}/returns`,
      summary: 'All returns accepted through the API; ?vrn= for one trader. “times_accepted” above 1 means filed twice.',
      responseExample: '{"returns": [{"vrn", "period_key", "times_accepted", "boxes", "acceptances"}]}',
      handler: async (request, reply) => {
        const onlyVrn = readVrn(request);
        const vrns = onlyVrn === undefined ? (await hmrc.listOrganisations()).map(({ vrn }) => vrn) : [onlyVrn];
        return reply.send(toSnakeCase({ returns: vrns.flatMap((vrn) => hmrc.listReturns(vrn)) }));
      },
    },
    {
      method: 'GET',
      url: `${HMRC_PAGE}/calls`,
      summary: 'The last calls to HMRC’s API, newest first, with their fraud prevention headers and HMRC’s validation result.',
      responseExample: '{"calls": [{"at", "operation", "status", "fraud_headers", "fraud_grade"}]}',
      handler: (_request, reply) =>
        reply.send({
          calls: hmrc.listCalls(200).map(({ fraudHeaders, ...call }) => ({ ...convertToSnakeCase(call), fraud_headers: fraudHeaders })),
        }),
    },
    {
      method: 'GET',
      url: `${HMRC_PAGE}/statistics`,
      summary: 'Counts of the HMRC simulator: calls, calls above the rate limit, refresh tokens accepted and rejected.',
      responseExample: '{"calls", "throttled", "refreshed", "refresh_refused"}',
      handler: (_request, reply) => reply.send(toSnakeCase(hmrc.readStatistics())),
    },
  ];
}

function claimRoutes(hmrc: HmrcControls): ControlRoute[] {
  return [
    {
      method: 'POST',
      url: `${HMRC_PAGE}/repayments/move`,
      summary: `Moves a claim to a stage: ${REPAYMENT_STAGES.join(', ')}. The adjusted stages need HMRC’s own figure. PAID pays into the account that HMRC has on record.`,
      requestExample: '{"vrn": "482193730", "period_key": "...", "stage": "PAID", "amount_pence"?: 1000}',
      responseExample: '{"repayment": {...}}',
      handler: async (request, reply) => {
        const input = readInput(request);
        const stage = readChoice(input, 'stage', REPAYMENT_STAGES);
        const repayment = await hmrc.moveRepayment(readText(input, 'vrn'), readText(input, 'period_key'), stage, readOptionalPence(input));
        return sendResult(reply, toSnakeCase({ repayment }), HMRC_PAGE, `The claim is now at ${repayment.stage}.`);
      },
    },
    {
      method: 'POST',
      url: `${HMRC_PAGE}/situation`,
      summary: `Puts a trader into a situation: ${HMRC_SITUATIONS.join(', ')}. Situations of a claim apply to the unpaid claim, or to the next one.`,
      requestExample: '{"vrn": "482193730", "situation": "query"}',
      responseExample: '{"vrn", "situation"}',
      handler: async (request, reply) => {
        const input = readInput(request);
        const vrn = readText(input, 'vrn');
        const situation = readChoice(input, 'situation', HMRC_SITUATIONS);
        await hmrc.chooseSituation(vrn, situation);
        return sendResult(reply, { vrn, situation }, HMRC_PAGE, `The situation for ${vrn} is now: ${situation}.`);
      },
    },
    {
      method: 'POST',
      url: `${HMRC_PAGE}/automatic-repayments`,
      summary: 'Whether claims move with the clock (approved after 5 days, paid 3 working days later). Off by default.',
      requestExample: '{"on": "true"}',
      responseExample: '{"on"}',
      handler: (request, reply) => {
        const isAutomatic = readChoice({ on: toText(readInput(request)['on']) }, 'on', ['true', 'false']) === 'true';
        hmrc.setAutomaticRepayments(isAutomatic);
        return sendResult(
          reply,
          { on: isAutomatic },
          HMRC_PAGE,
          isAutomatic ? 'Claims now move with the clock.' : 'Claims now wait until you move them.',
        );
      },
    },
  ];
}

function createOrganisationRoute(hmrc: HmrcControls): ControlRoute {
  return {
    method: 'POST',
    url: `${HMRC_PAGE}/organisations`,
    summary: 'Creates a test organisation with a VAT number, four filed returns and one that’s due, and registers it at Companies House.',
    requestExample: '{}',
    responseExample: '{"organisation_name"}',
    handler: (_request, reply) => {
      const organisation_name = hmrc.createOrganisation();
      return sendResult(reply, { organisation_name }, HMRC_PAGE, `Created ${organisation_name}. It’s the last organisation below.`);
    },
  };
}

function traderRoutes(hmrc: HmrcControls): ControlRoute[] {
  return [
    {
      method: 'POST',
      url: `${HMRC_PAGE}/stagger`,
      summary:
        'Changes the VAT periods to other quarters or to months, if no return has been filed yet. 1 = quarters to March, 2 = to April, 3 = to May.',
      requestExample: '{"vrn": "482193730", "stagger": "1", "2", "3" or "monthly"}',
      responseExample: '{"vrn", "stagger"}',
      handler: (request, reply) => {
        const input = readInput(request);
        const vrn = readText(input, 'vrn');
        const chosenStagger = readChoice({ stagger: toText(input['stagger']) }, 'stagger', ['1', '2', '3', 'monthly']);
        const stagger = chosenStagger === 'monthly' ? chosenStagger : ({ 1: 1, 2: 2, 3: 3 } as const)[chosenStagger];
        hmrc.setStagger(vrn, stagger);
        return sendResult(reply, { vrn, stagger }, HMRC_PAGE, `The periods for ${vrn} have been changed.`);
      },
    },
    {
      method: 'POST',
      url: `${HMRC_PAGE}/history`,
      summary: 'Changes a trader’s past returns, if no return has been filed yet.',
      requestExample:
        '{"vrn": "482193730", "kind"?: "exporter", "payer" or "dormant", "fulfilled_periods"?: 4, "typical_net_pence"?: 1450000}',
      responseExample: '{"vrn"}',
      handler: (request, reply) => {
        const input = readInput(request);
        const vrn = readText(input, 'vrn');
        hmrc.setHistory(vrn, {
          ...(input['kind'] === undefined ? {} : { kind: readChoice(input, 'kind', HISTORY_KINDS) }),
          ...(input['fulfilled_periods'] === undefined ? {} : { fulfilledPeriods: readWholeNumber(input, 'fulfilled_periods', 0) }),
          ...(input['typical_net_pence'] === undefined ? {} : { typicalNetPence: readPence(input, 'typical_net', 0) }),
        });
        return sendResult(reply, { vrn }, HMRC_PAGE, `The past returns for ${vrn} have been changed.`);
      },
    },
    {
      method: 'POST',
      url: `${HMRC_PAGE}/repayment-account`,
      summary: 'Sets the account that HMRC repays into, as the trader would in HMRC’s own service. Without an account, HMRC pays by post.',
      requestExample:
        '{"vrn": "482193730", "sort_code": "040662", "account_number": "30000002", "account_name": "Brightwell Exports Ltd"} or {"vrn"}',
      responseExample: '{"vrn"}',
      handler: (request, reply) => {
        const input = readInput(request);
        const vrn = readText(input, 'vrn');
        const hasAccount = input['sort_code'] !== undefined || input['account_number'] !== undefined;
        hmrc.setRepaymentAccount(vrn, hasAccount ? { ...readAccount(input), accountName: readText(input, 'account_name') } : undefined);
        return sendResult(
          reply,
          { vrn },
          HMRC_PAGE,
          hasAccount ? `HMRC will repay ${vrn} into that account.` : `HMRC will repay ${vrn} by post.`,
        );
      },
    },
    {
      method: 'POST',
      url: `${HMRC_PAGE}/revoke`,
      summary: 'Revokes all the portal’s authorisations, as the user would. Its tokens stop working immediately.',
      requestExample: '{"user_id": "brightwell"}',
      responseExample: '{"revoked": 1}',
      handler: (request, reply) => {
        const revoked = hmrc.revokeGrant(readText(readInput(request), 'user_id'));
        return sendResult(reply, { revoked }, HMRC_PAGE, `Authorisations revoked: ${revoked}.`);
      },
    },
  ];
}

function externalReturnRoutes(hmrc: HmrcControls): ControlRoute[] {
  return [
    {
      method: 'POST',
      url: `${HMRC_PAGE}/returns/elsewhere`,
      summary:
        'Files the ended period with other software, received by HMRC the given number of days ago. A negative refund means that the trader pays.',
      requestExample: '{"vrn": "482193730", "refund_pence": 1200000, "days_ago"?: 2}',
      responseExample: '{"vrn", "period_key"}',
      handler: (request, reply) => {
        const input = readInput(request);
        const vrn = readText(input, 'vrn');
        const refundPence = readPence(input, 'refund', -100_000_000_00);
        const daysAgo = input['days_ago'] === undefined ? 2 : readWholeNumber(input, 'days_ago', 1);
        const period_key = hmrc.fileElsewhere(vrn, { refundPence, daysAgo });
        return sendResult(reply, { vrn, period_key }, HMRC_PAGE, `HMRC now has a return for ${vrn}, filed with other software.`);
      },
    },
    {
      method: 'POST',
      url: `${HMRC_PAGE}/returns/amend`,
      summary: 'Changes the figure of a return that HMRC has. A negative refund means that the trader pays.',
      requestExample: '{"vrn": "482193730", "period_key": "...", "refund_pence": 900000}',
      responseExample: '{"vrn", "period_key"}',
      handler: (request, reply) => {
        const input = readInput(request);
        const vrn = readText(input, 'vrn');
        const period_key = readText(input, 'period_key');
        hmrc.amendReturn(vrn, period_key, readPence(input, 'refund', -100_000_000_00));
        return sendResult(reply, { vrn, period_key }, HMRC_PAGE, `HMRC now has different figures for ${vrn}.`);
      },
    },
  ];
}

/** A form also submits an empty field, which means "no amount". */
function readOptionalPence(input: ControlInput): number | undefined {
  if (input['amount_pence'] === undefined && (input['amount'] === undefined || input['amount'] === '')) return undefined;
  return readPence(input, 'amount', 1);
}

/** The controls use camelCase like the rest of the code; the JSON API uses snake_case like all the portal's JSON. */
function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => toSnakeCase(item));
  return typeof value === 'object' && value !== null ? convertToSnakeCase(value) : value;
}

function convertToSnakeCase(value: object): Record<string, unknown> {
  const entries = Object.entries(value).map(([name, item]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    toSnakeCase(item),
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function nameRoute(hmrc: HmrcControls): ControlRoute {
  return {
    method: 'POST',
    url: `${HMRC_PAGE}/name`,
    summary: 'Changes the name to which the VAT number is registered, so that it differs from Companies House’s and the bank’s.',
    requestExample: '{"vrn": "482193730", "name": "Kestrel Textiles Ltd"}',
    responseExample: '{"vrn", "name"}',
    handler: (request, reply) => {
      const input = readInput(request);
      const [vrn, name] = [readText(input, 'vrn'), readText(input, 'name')];
      hmrc.setOrganisationName(vrn, name);
      return sendResult(reply, { vrn, name }, HMRC_PAGE, `VAT number ${vrn} is now registered to ${name}.`);
    },
  };
}
