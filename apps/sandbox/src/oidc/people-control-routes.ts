/** Control routes for users of the simulated sign-in providers. */
import type { IdentitySimulators } from '../simulator/identity-simulators.ts';
import { sendResult, readChoice, readInput, sendError, readText, type ControlRoute, type ControlInput } from '../control/control-call.ts';
import { h, type Markup } from '../control/markup.ts';
import { sendPage } from '../control/page.ts';

const PEOPLE_PAGE = '/control/people';
const PROVIDERS = ['google', 'microsoft', 'xero', 'intuit', 'freeagent'] as const;
const PROVIDER_NAMES = { google: 'Google', microsoft: 'Microsoft', xero: 'Xero', intuit: 'Intuit', freeagent: 'FreeAgent' } as const;

export function peopleControlRoutes({ signIn }: Pick<IdentitySimulators, 'signIn'>): ControlRoute[] {
  const listAccounts = () => PROVIDERS.map((provider) => ({ provider, people: signIn[provider].listPeople() }));
  return [
    {
      method: 'GET',
      url: PEOPLE_PAGE,
      handler: (_request, reply) => sendPage(reply, 'Sign-in providers', renderPeoplePage(listAccounts())),
    },
    {
      method: 'GET',
      url: `${PEOPLE_PAGE}.json`,
      summary: 'People with an account at the sign-in providers.',
      responseExample: '{"providers": [{"provider", "people": [{"subject", "email", "emailVerified", "fullName"}]}]}',
      handler: (_request, reply) => reply.send({ providers: listAccounts() }),
    },
    {
      method: 'POST',
      url: PEOPLE_PAGE,
      summary: 'Creates an account at a provider. An existing account is not changed.',
      requestExample: '{"provider": "google", "email", "full_name", "email_verified": "yes" | "no"}',
      responseExample: '{"person": {...}}',
      handler: (request, reply) => {
        const input = readInput(request);
        const provider = readChoice(input, 'provider', PROVIDERS);
        const person = signIn[provider].seedPerson({
          email: readText(input, 'email'),
          fullName: readText(input, 'full_name'),
          emailVerified: isChecked(input, 'email_verified'),
        });
        return sendResult(reply, { person }, PEOPLE_PAGE, `${person.fullName} now has an account at ${provider}.`);
      },
    },
    {
      method: 'POST',
      url: `${PEOPLE_PAGE}/change`,
      summary: 'Changes the email address of a person. The subject stays the same.',
      requestExample: '{"provider", "email", "new_email", "email_verified": "yes" | "no"}',
      responseExample: '{"person": {...}}',
      handler: (request, reply) => {
        const input = readInput(request);
        const changedPerson = signIn[readChoice(input, 'provider', PROVIDERS)].changePerson(readText(input, 'email'), {
          email: readText(input, 'new_email'),
          emailVerified: isChecked(input, 'email_verified'),
        });
        if (!changedPerson) return sendError(reply, 404, 'email', 'This provider has no account with this address.');
        return sendResult(reply, { person: changedPerson }, PEOPLE_PAGE, `The address is now ${changedPerson.email}.`);
      },
    },
    {
      method: 'POST',
      url: `${PEOPLE_PAGE}/revoke`,
      summary: 'A person withdraws the portal’s access on the provider’s page: all its tokens end, and consent is needed again.',
      requestExample: '{"provider": "google", "email"}',
      responseExample: '{"revoked": true}',
      handler: (request, reply) => {
        const input = readInput(request);
        const email = readText(input, 'email');
        const { listPeople, revokeAccess } = signIn[readChoice(input, 'provider', PROVIDERS)];
        if (!listPeople().some((person) => person.email === email)) {
          return sendError(reply, 404, 'email', 'This provider has no account with this address.');
        }
        revokeAccess(email);
        return sendResult(reply, { revoked: true }, PEOPLE_PAGE, `The portal has no access to ${email} any more.`);
      },
    },
  ];
}

function isChecked(input: ControlInput, field: string): boolean {
  return input[field] === 'yes' || input[field] === true;
}

type ProviderAccounts = readonly {
  provider: keyof typeof PROVIDER_NAMES;
  people: readonly { fullName: string; email: string; emailVerified: boolean }[];
}[];

function renderPeoplePage(accounts: ProviderAccounts): Markup {
  const choices = PROVIDERS.map((provider) => h`<option value="${provider}">${PROVIDER_NAMES[provider]}</option>`);
  const verifiedField = h`<p class="field"><label for="email_verified">Has the provider verified the email address?</label><select id="email_verified" name="email_verified"><option>yes</option><option>no</option></select></p>`;
  return h`<p class="lead">People with an account at Google, Microsoft, Xero, Intuit or FreeAgent. You can choose them on the providers’ sign-in pages, or create more accounts there.</p>
${accounts.map(
  ({ provider, people }) =>
    h`<h2>${PROVIDER_NAMES[provider]}</h2><ul>${people.map(
      ({ fullName, email, emailVerified }) =>
        h`<li><form method="post" action="${PEOPLE_PAGE}/revoke">${fullName}, ${email}${!emailVerified && ' (not verified)'} <input type="hidden" name="provider" value="${provider}"><input type="hidden" name="email" value="${email}"><button class="plain" aria-label="Withdraw the portal’s access to ${email} at ${PROVIDER_NAMES[provider]}">Withdraw access</button></form></li>`,
    )}</ul>`,
)}
<form class="card" method="post" action="${PEOPLE_PAGE}"><h2>Create an account</h2><p class="field"><label for="provider">Provider</label><select id="provider" name="provider">${choices}</select></p><p class="field"><label for="email">Email address</label><input id="email" name="email" type="email" required></p><p class="field"><label for="full_name">Full name</label><input id="full_name" name="full_name" required></p>${verifiedField}<button>Create account</button></form>`;
}
