/** Sign-up, login and logout (docs/product/specification.md sections 7.1, 7.2; docs/product/decisions.md section 6). */
import { COMPANY_KINDS } from '@portal/domain/identity/roles.ts';
import { OPERATOR_ROLES, OPERATOR_STATUSES } from '@portal/domain/identity/operator-roles.ts';
import { PRODUCTS } from '@portal/domain/partners/partner.ts';
import { z } from 'zod/mini';
import { connectionNotice } from './connection-notice.ts';
import { endpoint } from './endpoint.ts';
import { loginOutput, newPassword, userTypeSchema } from './sign-in-schemas.ts';
import { companyInput, createNameScalar, doneOutput, emailScalar, idScalar, instantScalar } from './scalars.ts';

const linkToken = z.object({
  token: z.string().check(z.minLength(1, 'Open the link from the email again'), z.maxLength(200, 'Open the link from the email again')),
});

export const identityApi = {
  checkLogin: endpoint({
    method: 'GET',
    path: '/v2/check-login',
    access: 'public',
    summary: 'Get the logged-in user, or an empty object if no one is logged in',
    input: z.object({}),
    output: z.object({
      type: z.optional(userTypeSchema),
      user_id: z.optional(idScalar),
      email: z.optional(z.string()),
      full_name: z.optional(z.string()),
      home_path: z.optional(z.string()),
      is_operator: z.optional(z.boolean()),
      /** The user's roles as an operator. */
      operator_roles: z.optional(z.array(z.enum(OPERATOR_ROLES))),
      /** Set for our staff. Says whether they can open the operators' pages. */
      operator_status: z.optional(z.enum(OPERATOR_STATUSES)),
      /** Set while an operator views the portal as this user. */
      viewing: z.optional(z.object({ until: instantScalar })),
      /** Notices above every page; omitted if there are none. */
      grant_notices: z.optional(z.array(connectionNotice)),
    }),
  }),
  login: endpoint({
    method: 'POST',
    path: '/v2/login',
    access: 'public',
    summary: 'Sign in with email and password. The response says whether a second factor is needed.',
    input: z.object({
      email: emailScalar,
      password: z.string().check(z.minLength(1, 'Enter your password'), z.maxLength(200, 'Use at most 200 characters')),
    }),
    output: loginOutput,
  }),
  signUp: endpoint({
    method: 'POST',
    path: '/v2/sign-up',
    access: 'public',
    summary: 'Sign up. An emailed link completes the account. The response is the same for email addresses that already have one.',
    input: z.object({
      email: emailScalar,
      full_name: createNameScalar('your full name'),
      phone: z.optional(z.string().check(z.trim(), z.maxLength(30, 'Enter a phone number of at most 30 characters'))),
      password: z.optional(newPassword),
      partner: z.optional(z.string().check(z.trim(), z.toLowerCase(), z.maxLength(60))),
      /** The product that the user is signing up for. It determines where the link leads, on any device. */
      product: z.optional(z.enum(PRODUCTS)),
    }),
    output: z.object({ sent_to: z.string() }),
  }),
  sendMagicLink: endpoint({
    method: 'GET',
    path: '/send-auth-magic-link',
    access: 'public',
    hasEffect: true,
    summary: 'Email a sign-in link if the email address has an account. The response is the same if it doesn’t.',
    input: z.object({ email: emailScalar }),
    output: z.object({ sent_to: z.string() }),
  }),
  previewLink: endpoint({
    method: 'POST',
    path: '/v2/auth/look-at-link',
    access: 'public',
    summary: 'Preview an emailed link: its account and purpose. Doesn’t use up the link. Used and expired links are rejected.',
    input: linkToken,
    output: z.object({ email: z.string(), purpose: z.enum(['sign_in', 'verify', 'link', 'hmrc', 'enrol']), makes_account: z.boolean() }),
  }),
  consumeLink: endpoint({
    method: 'POST',
    path: '/v2/auth/use-link',
    access: 'public',
    summary: 'Sign in with an emailed link. Each link works once; opening its page doesn’t use it up.',
    input: linkToken,
    output: loginOutput,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/v2/logout',
    access: 'public',
    endsViewing: true,
    summary: 'Log out and end the current session',
    input: z.object({}),
    output: doneOutput,
  }),
  userCompanies: endpoint({
    method: 'GET',
    path: '/user-companies',
    access: 'signed_in',
    summary: 'List the user’s companies by name',
    input: z.object({}),
    output: z.array(
      z.object({ company_id: idScalar, name: z.string(), kind: z.enum(COMPANY_KINDS), role: z.string(), permissions: z.array(z.string()) }),
    ),
  }),
  companyName: endpoint({
    method: 'GET',
    path: '/company-name',
    access: 'company.read',
    summary: 'Get a company’s name',
    input: companyInput,
    output: z.object({ name: z.string() }),
  }),
  dashboardCompanyName: endpoint({
    method: 'GET',
    path: '/dashboard-company-name',
    access: 'company.read',
    summary: 'Get the company name for the initials on the dashboard',
    input: companyInput,
    output: z.object({ name: z.string() }),
  }),
};
