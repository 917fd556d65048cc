/** Signing up, in and out (specification 7.1, 7.2; product.md section 6). */
import { COMPANY_KINDS } from '@portal/domain/practice/roles.ts';
import { PRODUCTS } from '@portal/domain/partners/partner.ts';
import { z } from 'zod';
import { grantNotice } from './grant-notice.ts';
import { endpoint } from './endpoint.ts';
import { loginOutput, newPassword, personType } from './sign-in-shapes.ts';
import { companyInput, doneOutput, emailScalar, idScalar, nameScalar } from './scalars.ts';

const linkToken = z.object({
  token: z.string().min(1, 'Open the link from the email again').max(200, 'Open the link from the email again'),
});

export const identityApi = {
  checkLogin: endpoint({
    method: 'GET',
    path: '/v2/check-login',
    access: 'public',
    summary: 'Who is signed in; an empty object when nobody is.',
    input: z.object({}),
    output: z.object({
      type: personType.optional(),
      user_id: idScalar.optional(),
      email: z.string().optional(),
      full_name: z.string().optional(),
      home_path: z.string().optional(),
      is_operator: z.boolean().optional(),
      /** What stands above every page; absent where there is nothing to say. */
      grant_notices: z.array(grantNotice).optional(),
    }),
  }),
  login: endpoint({
    method: 'POST',
    path: '/v2/login',
    access: 'public',
    summary: 'Signs in by email and password, or answers that a second factor is wanted.',
    input: z.object({ email: emailScalar, password: z.string().min(1, 'Enter your password').max(200, 'Use at most 200 characters') }),
    output: loginOutput,
  }),
  signUp: endpoint({
    method: 'POST',
    path: '/v2/sign-up',
    access: 'public',
    summary: 'Starts an account: an emailed link finishes it. The answer never tells whether the address is known.',
    input: z.object({
      email: emailScalar,
      full_name: nameScalar('your full name'),
      phone: z.string().trim().max(30, 'Enter a phone number with at most 30 characters').optional(),
      password: newPassword.optional(),
      partner: z.string().trim().toLowerCase().max(60).optional(),
      /** What the person signs up for: where the link leads, on whatever device it is opened. */
      product: z.enum(PRODUCTS).optional(),
    }),
    output: z.object({ sent_to: z.string() }),
  }),
  sendMagicLink: endpoint({
    method: 'GET',
    path: '/send-auth-magic-link',
    access: 'public',
    summary: 'Emails a sign-in link, if the address has an account. The answer never tells whether it has.',
    input: z.object({ email: emailScalar }),
    output: z.object({ sent_to: z.string() }),
  }),
  lookAtLink: endpoint({
    method: 'POST',
    path: '/v2/auth/look-at-link',
    access: 'public',
    summary: 'Whose emailed link it is and what pressing does; uses nothing. Refused like using it where it is spent.',
    input: linkToken,
    output: z.object({ email: z.string(), purpose: z.enum(['sign_in', 'verify', 'link', 'hmrc']), makes_account: z.boolean() }),
  }),
  consumeLink: endpoint({
    method: 'POST',
    path: '/v2/auth/use-link',
    access: 'public',
    summary: 'Signs in by an emailed link; works once. Opening the link does not use it, this call does.',
    input: linkToken,
    output: loginOutput,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/v2/logout',
    access: 'public',
    summary: 'Ends this session.',
    input: z.object({}),
    output: doneOutput,
  }),
  userCompanies: endpoint({
    method: 'GET',
    path: '/user-companies',
    access: 'signed_in',
    summary: "The signed-in person's companies, by name.",
    input: z.object({}),
    output: z.array(z.object({ company_id: idScalar, name: z.string(), kind: z.enum(COMPANY_KINDS), role: z.string() })),
  }),
  companyName: endpoint({
    method: 'GET',
    path: '/company-name',
    access: 'company.read',
    summary: "A company's name.",
    input: companyInput,
    output: z.object({ name: z.string() }),
  }),
  dashboardCompanyName: endpoint({
    method: 'GET',
    path: '/dashboard-company-name',
    access: 'company.read',
    summary: "The name behind the dashboard's initials.",
    input: companyInput,
    output: z.object({ name: z.string() }),
  }),
};
