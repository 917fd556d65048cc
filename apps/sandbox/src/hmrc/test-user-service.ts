/**
 * Create Test User 1.0 (docs/reference/hmrc.md section 3.9): creates organisations, individuals and agents with the references of the
 * requested services.
 */
import type { FastifyReply } from 'fastify';
import { readBodyText } from '../simulator/request.ts';
import { assertAccepts, type HmrcRequest } from './gateway.ts';
import { createApiError } from './hmrc-api-error.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { UserKind, UserRecord } from './hmrc-records.ts';
import { toAddress, createTestUser } from './create-users.ts';

const SERVICES_BY_USER_KIND: Readonly<Record<UserKind, readonly string[]>> = {
  organisation: [
    'corporation-tax',
    'paye-for-employers',
    'submit-vat-returns',
    'national-insurance',
    'self-assessment',
    'mtd-income-tax',
    'mtd-vat',
  ],
  individual: ['national-insurance', 'self-assessment', 'mtd-income-tax', 'mtd-vat'],
  agent: ['agent-services'],
};

const SERVICE_NAMES: Readonly<Record<string, string>> = {
  'corporation-tax': 'Corporation Tax',
  'paye-for-employers': 'PAYE for Employers',
  'submit-vat-returns': 'Submit VAT Returns',
  'national-insurance': 'National Insurance',
  'self-assessment': 'Self Assessment',
  'mtd-income-tax': 'MTD Income Tax',
  'mtd-vat': 'MTD VAT',
  'agent-services': 'Agent Services',
};

export function handleCreateTestUser(context: HmrcContext, kind: UserKind, request: HmrcRequest, reply: FastifyReply): FastifyReply {
  assertAccepts(request, '1.0');
  const services = readServices(readBodyText(request), SERVICES_BY_USER_KIND[kind]);
  if (!services) throw createApiError(400, 'INVALID_REQUEST', `serviceNames must be a list of: ${SERVICES_BY_USER_KIND[kind].join(', ')}`);
  return reply.code(201).send(toUserWire(context, createTestUser(context, kind, services)));
}

export function handleListServices(reply: FastifyReply): FastifyReply {
  const keys = Object.keys(SERVICE_NAMES);
  return reply.send(
    keys.map((key) => ({
      key,
      name: SERVICE_NAMES[key] ?? key,
      allowedUserTypes: (['organisation', 'individual', 'agent'] as const)
        .filter((kind) => SERVICES_BY_USER_KIND[kind].includes(key))
        .map((kind) => kind.toUpperCase()),
    })),
  );
}

/** Without a body, the user gets no enrolments. Returns undefined if the body is invalid. */
function readServices(text: string, allowedServices: readonly string[]): readonly string[] | undefined {
  if (text.trim() === '') return [];
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const names: unknown = typeof body === 'object' && body !== null && 'serviceNames' in body ? body.serviceNames : undefined;
  if (!Array.isArray(names) || new Set(names).size !== names.length) return undefined;
  return names.every((name): name is string => allowedServices.includes(String(name))) ? names : undefined;
}

function toUserWire(context: HmrcContext, user: UserRecord): Record<string, unknown> {
  const [firstName = '', lastName = ''] = user.fullName.split(' ');
  const trader = user.vrn === undefined ? undefined : context.records.traders.get(user.vrn);
  const address = trader?.address ?? toAddress(user.userId.slice(0, 9));
  return {
    userId: user.userId,
    password: user.password,
    userFullName: user.fullName,
    emailAddress: user.emailAddress,
    ...(user.kind === 'organisation'
      ? { organisationDetails: { name: trader?.organisationName ?? `Company ${user.userId.slice(0, 6)}`, address } }
      : {}),
    ...(user.kind === 'individual' ? { individualDetails: { firstName, lastName, dateOfBirth: '1981-05-14', address } } : {}),
    ...user.identifiers,
    ...(user.vrn === undefined ? {} : { vrn: user.vrn }),
    ...(trader ? { vatRegistrationDate: trader.vatRegistrationDate } : {}),
  };
}
