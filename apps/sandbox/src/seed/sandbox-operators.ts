/** The sandbox's operators. Their authenticator secrets are public, like their password, so they exist only in the sandbox. */
import type { OperatorRole } from '@portal/domain/identity/operator-roles.ts';

export type SandboxOperator = {
  readonly email: string;
  readonly full_name: string;
  readonly roles: readonly OperatorRole[];
  /** In base 32, the format of authenticator apps (RFC 6238). */
  readonly authenticator_secret: string;
};

/**
 * Together they have every role, and two of them hold each role that needs two people. Two things need all three: a refund above £25,000,
 * which Olga approves and Omar and Otis release, and paying a trader money that two of them decided is the trader's.
 */
export const SANDBOX_OPERATORS: readonly [SandboxOperator, SandboxOperator, SandboxOperator] = [
  {
    email: 'olga@operator.example',
    full_name: 'Olga Marsh',
    roles: ['administrator', 'underwriter', 'finance'],
    authenticator_secret: 'OLGAMARSHSANDBOXAUTHENTICATORKEY',
  },
  {
    email: 'omar@operator.example',
    full_name: 'Omar Finch',
    roles: ['administrator', 'releaser', 'finance'],
    authenticator_secret: 'OMARFINCHSANDBOXAUTHENTICATORKEY',
  },
  {
    email: 'otis@operator.example',
    full_name: 'Otis Vale',
    roles: ['underwriter', 'releaser', 'finance', 'mlro'],
    authenticator_secret: 'OTISVALESANDBOXAUTHENTICATORKEYS',
  },
];
