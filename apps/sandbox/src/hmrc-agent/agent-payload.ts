/**
 * Client details in an agent's request, checked in the order of HMRC's server: shape, service, agent type, client type, client ID, known
 * fact. See docs/reference/hmrc.md section 5.
 */
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import { parseNino } from '@portal/domain/uk-tax/references/nino.ts';
import { z } from 'zod';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { AGENT_SERVICES, type AgentServiceWire, type AgentTypeWire } from './agent-records.ts';

/** The three calls with a body; each omits a different part. */
export type PayloadKind = 'invitation' | 'relationship' | 'deauthorisation';

export type AgentPayload = {
  readonly service: AgentServiceWire;
  readonly clientType: 'personal' | 'business';
  readonly clientId: string;
  readonly knownFact: string;
  readonly agentType?: AgentTypeWire;
};

const payloadWire = z.object({
  // Version 1 used lists; a one-item list is still accepted.
  service: z.union([z.string(), z.tuple([z.string()]).transform(([only]) => only)]),
  clientType: z.string().optional(),
  clientIdType: z.string(),
  clientId: z.string().transform((id) => id.replaceAll(' ', '')),
  knownFact: z.string().optional(),
  agentType: z.string().nullish(),
});

const POSTCODE_PATTERN = /^[A-Z]{1,2}[0-9][0-9A-Z]?\s?[0-9][A-Z]{2}$|^BFPO\s?[0-9]{1,5}$/;

/** Returns the payload, or the code of its first error. */
export function readAgentPayload(bodyText: string, kind: PayloadKind): AgentPayload | string {
  const parsed = payloadWire.safeParse(parseJson(bodyText));
  if (!parsed.success) return 'INVALID_PAYLOAD';
  const { service, clientType, clientIdType, clientId, knownFact, agentType } = parsed.data;
  if (kind !== 'relationship' && clientType === undefined) return 'INVALID_PAYLOAD';
  if (kind !== 'deauthorisation' && knownFact === undefined) return 'INVALID_PAYLOAD';
  if (!isService(service)) return 'SERVICE_NOT_SUPPORTED';
  if (agentType !== undefined && agentType !== null) {
    if (service === 'MTD-VAT') return 'INVALID_PAYLOAD';
    if (agentType !== 'main' && agentType !== 'supporting') return 'AGENT_TYPE_NOT_SUPPORTED';
  }
  if (kind !== 'relationship' && !(clientType === 'personal' || (clientType === 'business' && service === 'MTD-VAT'))) {
    return 'CLIENT_TYPE_NOT_SUPPORTED';
  }
  const isVrn = clientIdType === 'vrn' && /^\d{1,9}$/.test(clientId);
  const isNino = clientIdType === 'ni' && parseNino(clientId).ok;
  if (service === 'MTD-VAT' ? !isVrn : !isNino) return isVrn || isNino ? 'CLIENT_ID_DOES_NOT_MATCH_SERVICE' : 'CLIENT_ID_FORMAT_INVALID';
  if (kind !== 'deauthorisation') {
    if (service === 'MTD-VAT' && parsePlainDate(knownFact ?? '') === undefined) return 'VAT_REG_DATE_FORMAT_INVALID';
    if (service === 'MTD-IT' && !POSTCODE_PATTERN.test(knownFact ?? '')) return 'POSTCODE_FORMAT_INVALID';
  }
  return {
    service,
    clientType: clientType === 'business' ? 'business' : 'personal',
    clientId,
    knownFact: knownFact ?? '',
    ...(service === 'MTD-IT' ? { agentType: agentType === 'supporting' ? 'supporting' : 'main' } : {}),
  };
}

function isService(text: string): text is AgentServiceWire {
  return (AGENT_SERVICES as readonly string[]).includes(text);
}
