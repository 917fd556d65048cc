/** The sandbox's practice, with clients whose figures HMRC's simulator knows. Every sequence may act as its administrator. */
import { CLIENTS_UPLOAD_PATH, clientImportsApi, type ClientImport } from '@portal/contract/client-imports.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import { TAX_STATEMENTS_PATH } from '@portal/contract/tax-statements.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { SANDBOX_PASSWORD } from '@portal/sandbox/seed/seed-data.ts';
import { createRandom } from '../../chaos/random.ts';
import { grantHmrcPermission } from '../../smoke/sandbox-client.ts';
import { waitUntil } from '../../smoke/wait-until.ts';
import { createPerson, type Person, type Run } from './hostile-person.ts';

export type Oakline = { readonly priya: Person; readonly tom: Person; readonly companyId: string };

const CLIENT_COUNT = 120;
const WAIT_MS = 240_000;
const UNCORRUPTED = { corrupted: 0 };

export async function openOakline(run: Run, seed: number): Promise<Oakline> {
  const tenant = { marker: 'oakline', isShared: true };
  const [priya, tom] = [1, 2].map((number) => createPerson(run, tenant, createRandom(seed + number), { ip: `10.9.9.${number}` }));
  if (!priya || !tom) throw new RangeError('two people');
  await priya.call(identityApi.login, { email: OAKLINE.emailAddress, password: SANDBOX_PASSWORD }, UNCORRUPTED);
  await tom.call(identityApi.login, { email: 'tom@oakline.example', password: SANDBOX_PASSWORD }, UNCORRUPTED);
  const companies = await priya.call(identityApi.userCompanies, {}, UNCORRUPTED);
  const companyId = companies.find(({ kind }) => kind === 'practice')?.company_id ?? '';
  const files = await loadPortfolio(run.sandboxUrl);
  await connect(priya, companyId);
  await importClients(priya, companyId, files.clients);
  for (const tax of ['paye', 'ct'] as const) {
    const query = { company_id: companyId, tax_type: tax, file_name: `${tax}.csv` };
    await priya.post(TAX_STATEMENTS_PATH, { query, headers: { 'content-type': 'text/csv' }, body: files[tax] }, UNCORRUPTED);
  }
  return { priya, tom, companyId };
}

async function loadPortfolio(url: string): Promise<Record<'clients' | 'paye' | 'ct', string>> {
  const headers = { 'content-type': 'application/json' };
  const loadedResponse = await fetch(`${url}/control/hmrc-agents/portfolio`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ clients: CLIENT_COUNT }),
  });
  if (!loadedResponse.ok) throw new Error(`the portfolio: ${loadedResponse.status}`);
  const read = async (name: string): Promise<string> => (await fetch(`${url}/control/hmrc-agents/portfolio/${name}.csv`)).text();
  return { clients: await read('clients'), paye: await read('paye-statement'), ct: await read('ct-statement') };
}

async function connect(priya: Person, companyId: string): Promise<void> {
  const { hmrc } = await priya.call(practiceApi.accountantProfile, { company_id: companyId }, UNCORRUPTED);
  if (hmrc.status === 'connected') return;
  const { authorize_url } = await priya.call(practiceApi.connectHmrc, { company_id: companyId, return_to: 'settings' }, UNCORRUPTED);
  const callbackUrl = await grantHmrcPermission(authorize_url, OAKLINE.hmrcUserId);
  await priya.open(callbackUrl.pathname.replace(/^\/portal/, ''), Object.fromEntries(callbackUrl.searchParams), UNCORRUPTED);
}

export async function importClients(person: Person, companyId: string, body: string): Promise<string> {
  const query = { company_id: companyId, file_name: 'clients.csv' };
  const { text } = await person.post(CLIENTS_UPLOAD_PATH, { query, headers: { 'content-type': 'text/csv' }, body }, UNCORRUPTED);
  const { import_id } = JSON.parse(text) as ClientImport;
  const key = { company_id: companyId, import_id };
  await person.call(clientImportsApi.start, key, UNCORRUPTED);
  await waitUntil(
    async () => {
      const { import: current } = await person.ask(clientImportsApi.info, key);
      return current?.state === 'importing' ? undefined : current;
    },
    'the import did not end',
    WAIT_MS,
  );
  return import_id;
}
