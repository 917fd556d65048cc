/** Control routes for the people who have accounts with the simulated sign-in providers. */
import type { IdentitySimulators } from '../simulator/identity-simulators.ts';
import { done, oneOf, readInput, refuse, textOf, type ControlRoute, type Input } from '../control/control-call.ts';
import { h, type Markup } from '../control/markup.ts';
import { sendPage } from '../control/page.ts';

const PEOPLE_PAGE = '/control/people';
const PROVIDERS = ['google', 'microsoft', 'xero', 'intuit', 'freeagent'] as const;

export function peopleControlRoutes({ signIn }: Pick<IdentitySimulators, 'signIn'>): ControlRoute[] {
  const listed = () => PROVIDERS.map((provider) => ({ provider, people: signIn[provider].listPeople() }));
  return [
    { method: 'GET', url: PEOPLE_PAGE, handler: (_request, reply) => sendPage(reply, 'Sign-in providers', peoplePage(listed())) },
    {
      method: 'GET',
      url: `${PEOPLE_PAGE}.json`,
      summary: 'People who hold an account at the sign-in providers.',
      gives: '{"providers": [{"provider", "people": [{"subject", "email", "emailVerified", "fullName"}]}]}',
      handler: (_request, reply) => reply.send({ providers: listed() }),
    },
    {
      method: 'POST',
      url: PEOPLE_PAGE,
      summary: 'Opens an account at a provider; one that is there stays as it is.',
      takes: '{"provider": "google", "email", "full_name", "email_verified": "yes" | "no"}',
      gives: '{"person": {...}}',
      handler: (request, reply) => {
        const input = readInput(request);
        const provider = oneOf(input, 'provider', PROVIDERS);
        const person = signIn[provider].seedPerson({
          email: textOf(input, 'email'),
          fullName: textOf(input, 'full_name'),
          emailVerified: isYes(input, 'email_verified'),
        });
        return done(reply, { person }, PEOPLE_PAGE, `${person.fullName} holds an account at ${provider}.`);
      },
    },
    {
      method: 'POST',
      url: `${PEOPLE_PAGE}/change`,
      summary: 'The person has another email address from now on; its subject stays.',
      takes: '{"provider", "email", "new_email", "email_verified": "yes" | "no"}',
      gives: '{"person": {...}}',
      handler: (request, reply) => {
        const input = readInput(request);
        const changed = signIn[oneOf(input, 'provider', PROVIDERS)].changePerson(textOf(input, 'email'), {
          email: textOf(input, 'new_email'),
          emailVerified: isYes(input, 'email_verified'),
        });
        if (!changed) return refuse(reply, 404, 'email', 'Nobody holds an account with this address there.');
        return done(reply, { person: changed }, PEOPLE_PAGE, `The address is ${changed.email} now.`);
      },
    },
  ];
}

function isYes(input: Input, field: string): boolean {
  return input[field] === 'yes' || input[field] === true;
}

type Listed = readonly { provider: string; people: readonly { fullName: string; email: string; emailVerified: boolean }[] }[];

function peoplePage(listed: Listed): Markup {
  const choices = PROVIDERS.map((provider) => h`<option>${provider}</option>`);
  const verified = h`<p class="field"><label for="email_verified">The provider says that the address is verified</label><select id="email_verified" name="email_verified"><option>yes</option><option>no</option></select></p>`;
  return h`<p class="lead">People who hold an account at Google, Microsoft, Xero, Intuit and FreeAgent. The providers’ sign-in pages offer them, and open further accounts too.</p>
${listed.map(
  ({ provider, people }) =>
    h`<h2>${provider}</h2><ul>${people.map(({ fullName, email, emailVerified }) => h`<li>${fullName}, ${email}${!emailVerified && ' (not verified)'}</li>`)}</ul>`,
)}
<form class="card" method="post" action="${PEOPLE_PAGE}"><h2>Open an account</h2><p class="field"><label for="provider">Provider</label><select id="provider" name="provider">${choices}</select></p><p class="field"><label for="email">Email address</label><input id="email" name="email" type="email" required></p><p class="field"><label for="full_name">Full name</label><input id="full_name" name="full_name" required></p>${verified}<button>Open</button></form>`;
}
