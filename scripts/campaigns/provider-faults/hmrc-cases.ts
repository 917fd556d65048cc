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
import type { Clients, FaultTestBed } from './bed.ts';
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

const getLastYear = ({ today }: FaultTestBed) => ({ from: addDays(today(), -360), to: today() });

let filedTrader: { readonly vrn: string } | undefined;

export const hmrcCases: CasesOf<HmrcClient> = {
  authorizeUrl: 'builds an address for the browser',
  exchangeCode: {
    effect: 'write',
    worksOnce: true,
    differsEachTime: true,
    prepare: async (testBed) => {
      const { userId } = await makeOrganisation(testBed.portal);
      const code = await testBed.requestCode(userId);
      return ({ hmrc }) => hmrc.exchangeCode({ code });
    },
  },
  refresh: {
    effect: 'write',
    worksOnce: true,
    differsEachTime: true,
    prepare: async (testBed, clients) => {
      const { userId } = await makeOrganisation(testBed.portal);
      const { refreshToken } = await clients.hmrc.exchangeCode({ code: await testBed.requestCode(userId) });
      return ({ hmrc }) => hmrc.refresh(refreshToken);
    },
  },
  listObligations: read(({ hmrc }, { trader: { call, vrn } }) => hmrc.listObligations(call, vrn, { status: 'open' })),
  submitReturn: {
    effect: 'write',
    worksOnce: true,
    differsEachTime: true,
    prepare: async (testBed, clients) => {
      const { vrn, call } = await testBed.createTrader();
      const openObligations = await clients.hmrc.listObligations(call, vrn, { status: 'open' });
      const { periodKey } = required(
        openObligations.find(({ end }) => end < testBed.today()),
        'open obligation that has ended',
      );
      filedTrader = { vrn };
      return ({ hmrc }) => hmrc.submitReturn(call, vrn, periodKey, BOXES);
    },
    countEffects: ({ portal }) =>
      portal.hmrc.listReturns(filedTrader?.vrn ?? '').reduce((sum, { timesAccepted }) => sum + timesAccepted, 0),
  },
  findReturn: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { call, vrn } = testBed.trader;
      const fulfilledObligations = await clients.hmrc.listObligations(call, vrn, { ...getLastYear(testBed), status: 'fulfilled' });
      const { periodKey } = required(fulfilledObligations[0], 'fulfilled obligation');
      return ({ hmrc }) => hmrc.findReturn(call, vrn, periodKey);
    },
  },
  listLiabilities: read(({ hmrc }, testBed) => hmrc.listLiabilities(testBed.trader.call, testBed.trader.vrn, getLastYear(testBed))),
  listPayments: read(({ hmrc }, testBed) => hmrc.listPayments(testBed.trader.call, testBed.trader.vrn, getLastYear(testBed))),
  findVatInformation: read(({ hmrc }, { trader: { call, vrn } }) => hmrc.findVatInformation(call, vrn)),
  lookupVatNumber: read(({ hmrc }, { trader }) => hmrc.lookupVatNumber(trader.vrn), { differsEachTime: true }),
};

export const penaltiesCases: CasesOf<VatPenaltiesClient> = {
  listPenalties: read(({ hmrcRuns }, { trader: { call, vrn } }) => hmrcRuns.vat.listPenalties(call, vrn)),
};

/** Returns a taxpayer whose figures Oakline may read. */
const pickPerson = ({ portfolio }: FaultTestBed): string =>
  required(
    portfolio.list.find(
      ({ nino, selfAssessment, situation }) =>
        nino !== undefined && selfAssessment?.business?.agentType === 'main' && !/authori|link_sent/.test(situation),
    )?.nino,
    'person with figures',
  );

export const selfAssessmentCases: CasesOf<SelfAssessmentClient> = {
  findAccount: read(({ hmrcRuns }, testBed) => hmrcRuns.sa.findAccount(testBed.agent, pickPerson(testBed))),
  listCharges: read(({ hmrcRuns }, testBed) => hmrcRuns.sa.listCharges(testBed.agent, pickPerson(testBed), getLastYear(testBed))),
  listPayments: read(({ hmrcRuns }, testBed) => hmrcRuns.sa.listPayments(testBed.agent, pickPerson(testBed), getLastYear(testBed))),
  listUpdates: read(({ hmrcRuns }, testBed) => hmrcRuns.sa.listUpdates(testBed.agent, pickPerson(testBed), { status: 'open' })),
  listDeclarations: read(({ hmrcRuns }, testBed) => hmrcRuns.sa.listDeclarations(testBed.agent, pickPerson(testBed))),
};

const { arn } = OAKLINE;

function createClientIdentity(testBed: FaultTestBed): Extract<ClientIdentity, { service: 'vat' }> {
  const knownClientIds = new Set(testBed.portal.agents.listRelationships(arn).map(({ clientId }) => clientId));
  const vat = required(
    testBed.portfolio.list.find((client) => client.vat && !knownClientIds.has(client.vat.vrn))?.vat,
    'client without authorisation',
  );
  return { service: 'vat', vrn: vat.vrn, registeredOn: vat.registeredOn };
}

async function clearRequests(testBed: FaultTestBed, { hmrcAgent }: Clients): Promise<ReturnType<typeof createClientIdentity>> {
  const client = createClientIdentity(testBed);
  for (const { invitationId, status } of await hmrcAgent.listInvitations(testBed.agent, arn)) {
    if (status === 'pending') await hmrcAgent.cancelInvitation(testBed.agent, arn, invitationId);
  }
  return client;
}

async function createRequest(
  testBed: FaultTestBed,
  clients: Clients,
): Promise<{ client: ReturnType<typeof createClientIdentity>; invitationId: string }> {
  const client = await clearRequests(testBed, clients);
  const sentInvitation = await clients.hmrcAgent.sendInvitation(testBed.agent, arn, client);
  if (sentInvitation.outcome !== 'sent') throw new Error(`HMRC’s simulator did not take a request: ${sentInvitation.outcome}`);
  return { client, invitationId: sentInvitation.invitationId };
}

export const agentCases: CasesOf<AgentAuthorisationClient> = {
  checkAgency: read(({ hmrcAgent }, { agent }) => hmrcAgent.checkAgency(agent, arn)),
  sendInvitation: {
    effect: 'write',
    worksOnce: true,
    differsEachTime: true,
    prepare: async (testBed, clients) => {
      const client = await clearRequests(testBed, clients);
      return ({ hmrcAgent }) => hmrcAgent.sendInvitation(testBed.agent, arn, client);
    },
    countEffects: ({ portal }) => portal.agents.listInvitations(arn).filter(({ status }) => status === 'Pending').length,
  },
  listInvitations: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      await createRequest(testBed, clients);
      return ({ hmrcAgent }) => hmrcAgent.listInvitations(testBed.agent, arn);
    },
  },
  findInvitation: {
    effect: 'read',
    prepare: async (testBed, clients) => {
      const { invitationId } = await createRequest(testBed, clients);
      return ({ hmrcAgent }) => hmrcAgent.findInvitation(testBed.agent, arn, invitationId);
    },
  },
  cancelInvitation: {
    effect: 'write',
    worksOnce: true,
    differsEachTime: true,
    prepare: async (testBed, clients) => {
      const { invitationId } = await createRequest(testBed, clients);
      return ({ hmrcAgent }) => hmrcAgent.cancelInvitation(testBed.agent, arn, invitationId);
    },
  },
  checkRelationship: read(({ hmrcAgent }, testBed) => hmrcAgent.checkRelationship(testBed.agent, arn, createClientIdentity(testBed))),
  deauthorise: {
    effect: 'write',
    worksOnce: true,
    differsEachTime: true,
    prepare: async (testBed, clients) => {
      const { client, invitationId } = await createRequest(testBed, clients);
      testBed.portal.agents.answerInvitation(invitationId, 'accept');
      return ({ hmrcAgent }) => hmrcAgent.deauthorise(testBed.agent, arn, client);
    },
  },
};
