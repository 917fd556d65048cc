/** Operations at HMRC: VAT, Self Assessment and agent authorisation. */
import { addDays } from '@portal/domain/plain-date.ts';
import { pence, type WholePounds } from '@portal/domain/money.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import type { AgentAuthorisationClient, ClientIdentity } from '@portal/providers/hmrc-agent/agent-authorisation-port.ts';
import type { SelfAssessmentClient } from '@portal/providers/hmrc-agent/self-assessment-port.ts';
import type { VatPenaltiesClient } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';
import type { HmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import { makeOrganisation } from '../../../apps/server/src/testing/test-trader.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { Bed, Clients } from './bed.ts';
import { read, required, type CasesOf } from './operation-case.ts';

const NONE = 0 as WholePounds;
const BOXES: NineBoxes = {
  box1: pence(0),
  box2: pence(0),
  box3: pence(0),
  box4: pence(0),
  box5: pence(0),
  box6: NONE,
  box7: NONE,
  box8: NONE,
  box9: NONE,
};

const lastYear = ({ today }: Bed) => ({ from: addDays(today(), -360), to: today() });

let filed: { readonly vrn: string } | undefined;

export const hmrcCases: CasesOf<HmrcClient> = {
  authorizeUrl: 'builds an address for the browser',
  exchangeCode: {
    effect: 'write',
    worksOnce: true,
    differsEachTime: true,
    prepare: async (bed) => {
      const { userId } = await makeOrganisation(bed.portal);
      const code = await bed.newCode(userId);
      return ({ hmrc }) => hmrc.exchangeCode({ code });
    },
  },
  refresh: {
    effect: 'write',
    worksOnce: true,
    differsEachTime: true,
    prepare: async (bed, clients) => {
      const { userId } = await makeOrganisation(bed.portal);
      const { refreshToken } = await clients.hmrc.exchangeCode({ code: await bed.newCode(userId) });
      return ({ hmrc }) => hmrc.refresh(refreshToken);
    },
  },
  listObligations: read(({ hmrc }, { trader: { call, vrn } }) => hmrc.listObligations(call, vrn, { status: 'open' })),
  submitReturn: {
    effect: 'write',
    worksOnce: true,
    differsEachTime: true,
    prepare: async (bed, clients) => {
      const { vrn, call } = await bed.newTrader();
      const open = await clients.hmrc.listObligations(call, vrn, { status: 'open' });
      const { periodKey } = required(
        open.find(({ end }) => end < bed.today()),
        'open obligation that has ended',
      );
      filed = { vrn };
      return ({ hmrc }) => hmrc.submitReturn(call, vrn, periodKey, BOXES);
    },
    countEffects: ({ portal }) => portal.hmrc.listReturns(filed?.vrn ?? '').reduce((sum, { timesAccepted }) => sum + timesAccepted, 0),
  },
  findReturn: {
    effect: 'read',
    prepare: async (bed, clients) => {
      const { call, vrn } = bed.trader;
      const fulfilled = await clients.hmrc.listObligations(call, vrn, { ...lastYear(bed), status: 'fulfilled' });
      const { periodKey } = required(fulfilled[0], 'fulfilled obligation');
      return ({ hmrc }) => hmrc.findReturn(call, vrn, periodKey);
    },
  },
  listLiabilities: read(({ hmrc }, bed) => hmrc.listLiabilities(bed.trader.call, bed.trader.vrn, lastYear(bed))),
  listPayments: read(({ hmrc }, bed) => hmrc.listPayments(bed.trader.call, bed.trader.vrn, lastYear(bed))),
  findVatInformation: read(({ hmrc }, { trader: { call, vrn } }) => hmrc.findVatInformation(call, vrn)),
  lookupVatNumber: read(({ hmrc }, { trader }) => hmrc.lookupVatNumber(trader.vrn), { differsEachTime: true }),
};

export const penaltiesCases: CasesOf<VatPenaltiesClient> = {
  listPenalties: read(({ hmrcRuns }, { trader: { call, vrn } }) => hmrcRuns.vat.listPenalties(call, vrn)),
};

/** Returns a taxpayer whose figures Oakline may read. */
const person = ({ portfolio }: Bed): string =>
  required(
    portfolio.list.find(
      ({ nino, selfAssessment, situation }) =>
        nino !== undefined && selfAssessment?.business?.agentType === 'main' && !/authori|link_sent/.test(situation),
    )?.nino,
    'person with figures',
  );

export const selfAssessmentCases: CasesOf<SelfAssessmentClient> = {
  findAccount: read(({ hmrcRuns }, bed) => hmrcRuns.sa.findAccount(bed.agent, person(bed))),
  listCharges: read(({ hmrcRuns }, bed) => hmrcRuns.sa.listCharges(bed.agent, person(bed), lastYear(bed))),
  listPayments: read(({ hmrcRuns }, bed) => hmrcRuns.sa.listPayments(bed.agent, person(bed), lastYear(bed))),
  listUpdates: read(({ hmrcRuns }, bed) => hmrcRuns.sa.listUpdates(bed.agent, person(bed), { status: 'open' })),
  listDeclarations: read(({ hmrcRuns }, bed) => hmrcRuns.sa.listDeclarations(bed.agent, person(bed))),
};

const { arn } = OAKLINE;

function createClientIdentity(bed: Bed): Extract<ClientIdentity, { service: 'vat' }> {
  const known = new Set(bed.portal.agents.listRelationships(arn).map(({ clientId }) => clientId));
  const vat = required(bed.portfolio.list.find((client) => client.vat && !known.has(client.vat.vrn))?.vat, 'client without authorisation');
  return { service: 'vat', vrn: vat.vrn, registeredOn: vat.registeredOn };
}

async function clearRequests(bed: Bed, { hmrcAgent }: Clients): Promise<ReturnType<typeof createClientIdentity>> {
  const client = createClientIdentity(bed);
  for (const { invitationId, status } of await hmrcAgent.listInvitations(bed.agent, arn)) {
    if (status === 'pending') await hmrcAgent.cancelInvitation(bed.agent, arn, invitationId);
  }
  return client;
}

async function withRequest(bed: Bed, clients: Clients): Promise<{ client: ReturnType<typeof createClientIdentity>; invitationId: string }> {
  const client = await clearRequests(bed, clients);
  const sent = await clients.hmrcAgent.sendInvitation(bed.agent, arn, client);
  if (sent.outcome !== 'sent') throw new Error(`HMRC’s simulator did not take a request: ${sent.outcome}`);
  return { client, invitationId: sent.invitationId };
}

export const agentCases: CasesOf<AgentAuthorisationClient> = {
  checkAgency: read(({ hmrcAgent }, { agent }) => hmrcAgent.checkAgency(agent, arn)),
  sendInvitation: {
    effect: 'write',
    worksOnce: true,
    differsEachTime: true,
    prepare: async (bed, clients) => {
      const client = await clearRequests(bed, clients);
      return ({ hmrcAgent }) => hmrcAgent.sendInvitation(bed.agent, arn, client);
    },
    countEffects: ({ portal }) => portal.agents.listInvitations(arn).filter(({ status }) => status === 'Pending').length,
  },
  listInvitations: {
    effect: 'read',
    prepare: async (bed, clients) => {
      await withRequest(bed, clients);
      return ({ hmrcAgent }) => hmrcAgent.listInvitations(bed.agent, arn);
    },
  },
  findInvitation: {
    effect: 'read',
    prepare: async (bed, clients) => {
      const { invitationId } = await withRequest(bed, clients);
      return ({ hmrcAgent }) => hmrcAgent.findInvitation(bed.agent, arn, invitationId);
    },
  },
  cancelInvitation: {
    effect: 'write',
    worksOnce: true,
    differsEachTime: true,
    prepare: async (bed, clients) => {
      const { invitationId } = await withRequest(bed, clients);
      return ({ hmrcAgent }) => hmrcAgent.cancelInvitation(bed.agent, arn, invitationId);
    },
  },
  checkRelationship: read(({ hmrcAgent }, bed) => hmrcAgent.checkRelationship(bed.agent, arn, createClientIdentity(bed))),
  deauthorise: {
    effect: 'write',
    worksOnce: true,
    differsEachTime: true,
    prepare: async (bed, clients) => {
      const { client, invitationId } = await withRequest(bed, clients);
      bed.portal.agents.answerInvitation(invitationId, 'accept');
      return ({ hmrcAgent }) => hmrcAgent.deauthorise(bed.agent, arn, client);
    },
  },
};
