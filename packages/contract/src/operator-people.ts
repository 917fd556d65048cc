/** Our own staff: who may use the operators' pages, and their roles. */
import { OPERATOR_ROLES } from '@portal/domain/identity/operator-roles.ts';
import { z } from 'zod/mini';
import { requestedOutput } from './approvals.ts';
import { endpoint } from './endpoint.ts';
import {
  accountNumberScalar,
  createNameScalar,
  dateScalar,
  doneOutput,
  emailScalar,
  idScalar,
  instantScalar,
  sortCodeScalar,
} from './scalars.ts';

const rolesScalar = z.array(z.enum(OPERATOR_ROLES)).check(z.minLength(1, 'Choose at least one role'), z.maxLength(OPERATOR_ROLES.length));
const personInput = z.object({ user_id: idScalar });
const reasonScalar = z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters'));

export const operatorPeopleApi = {
  list: endpoint({
    method: 'GET',
    path: '/operator/people',
    access: 'operator',
    summary: 'List operators with their roles, status and sessions',
    input: z.object({}),
    output: z.object({
      people: z.array(
        z.object({
          user_id: idScalar,
          full_name: z.string(),
          email: z.string(),
          roles: z.array(z.enum(OPERATOR_ROLES)),
          /** `invited`: the operator hasn't yet used the enrolment link and set up a second factor. */
          status: z.enum(['invited', 'active', 'disabled']),
          /** Null if the person was added with `npm run operator`. */
          invited_by: z.nullable(z.string()),
          invited_at: instantScalar,
          enrolled_at: z.nullable(instantScalar),
          disabled_at: z.nullable(instantScalar),
          /** The first day on which the operator can decide about money. Null if that day has come. */
          decides_from: z.nullable(dateScalar),
          sessions: z.int(),
          last_seen_at: z.nullable(instantScalar),
        }),
      ),
    }),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/operator/people/invite',
    access: 'operator.manage',
    summary:
      'Request an invitation for a new operator. Once another administrator approves it, the enrolment link is emailed. It works once and is valid for a day.',
    input: z.object({
      email: emailScalar,
      full_name: createNameScalar('their full name'),
      roles: rolesScalar,
      /** The operator can't access companies whose people have this address either. */
      private_email: z.optional(emailScalar),
      reason: reasonScalar,
    }),
    output: requestedOutput,
  }),
  changeRoles: endpoint({
    method: 'POST',
    path: '/operator/people/roles',
    access: 'operator.manage',
    summary:
      'Request a change to an operator’s roles. Another administrator must approve it. Operators can’t request or approve changes to their own roles, and at least one administrator must remain.',
    input: z.extend(personInput, { roles: rolesScalar, reason: reasonScalar }),
    output: requestedOutput,
  }),
  disable: endpoint({
    method: 'POST',
    path: '/operator/people/disable',
    access: 'operator.manage',
    summary: 'Disable an operator and end their sessions. Operators can’t disable themselves, and at least one administrator must remain.',
    input: personInput,
    output: doneOutput,
  }),
  renewLink: endpoint({
    method: 'POST',
    path: '/operator/people/link',
    access: 'operator.manage',
    summary:
      'Request a new enrolment link for an operator. Once another administrator approves it, the operator’s second factors are removed, their sessions end, and they are enabled if they were disabled.',
    input: z.extend(personInput, { reason: reasonScalar }),
    output: requestedOutput,
  }),
  listOwnAccounts: endpoint({
    method: 'GET',
    path: '/operator/people/own-accounts',
    access: 'operator',
    needsFreshFactor: true,
    summary: 'List the personal bank accounts that the signed-in operator has declared',
    input: z.object({}),
    output: z.object({ accounts: z.array(z.object({ account_id: idScalar, account_end: z.string(), recorded_at: instantScalar })) }),
  }),
  recordOwnAccount: endpoint({
    method: 'POST',
    path: '/operator/people/own-accounts',
    access: 'operator',
    summary:
      'Declare a personal bank account of the signed-in operator, who then can’t make decisions about companies that use it. Repeating it changes nothing. It can’t be removed.',
    input: z.object({ sort_code: sortCodeScalar, account_number: accountNumberScalar }),
    output: doneOutput,
  }),
  endSessions: endpoint({
    method: 'POST',
    path: '/operator/people/end-sessions',
    access: 'operator.manage',
    summary: 'End all of an operator’s sessions',
    input: personInput,
    output: doneOutput,
  }),
};
