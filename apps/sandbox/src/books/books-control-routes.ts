/** Control routes for organisations in Xero, QuickBooks and FreeAgent, which simulate what users enter in their bookkeeping software. */
import { pence } from '@portal/domain/money.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import {
  type ControlInput,
  ControlInputError,
  type ControlRoute,
  readChoice,
  readInput,
  readText,
  readWholeNumber,
  sendError,
  sendResult,
  toText,
} from '../control/control-call.ts';
import { h, type Markup } from '../control/markup.ts';
import { sendPage } from '../control/page.ts';
import type { IdentitySimulators } from '../simulator/identity-simulators.ts';
import { ENTRY_TREATMENTS } from './books-entry.ts';
import { BOOKS_PROVIDERS, type NewEntry, type SimulatedOrganisation } from './sandbox-books.ts';

const PAGE = '/control/books';
const PROGRAM_NAMES = { xero: 'Xero', quickbooks: 'QuickBooks', freeagent: 'FreeAgent' } as const;
const VAT_SCHEMES = ['accrual', 'cash', 'flat_rate'] as const;

type BooksSimulators = Pick<IdentitySimulators, 'books' | 'signIn' | 'freeAgentPractice'>;

export function booksControlRoutes({ books, signIn, freeAgentPractice }: BooksSimulators): ControlRoute[] {
  const accounts = { xero: [signIn.xero], quickbooks: [signIn.intuit], freeagent: [signIn.freeagent, freeAgentPractice] };
  const listBooks = () =>
    BOOKS_PROVIDERS.map((provider) => ({
      program: provider,
      organisations: books[provider]
        .listOrganisations()
        .map((organisation) => ({ ...organisation, documents: books[provider].listEntries(organisation.id).length })),
    }));
  return [
    { method: 'GET', url: PAGE, handler: (_request, reply) => sendPage(reply, 'Bookkeeping programs', renderBooksPage(listBooks())) },
    {
      method: 'GET',
      url: `${PAGE}.json`,
      summary: 'Organisations at Xero, QuickBooks and FreeAgent.',
      responseExample: '{"programs": [{"program", "organisations": [{"id", "name", "ownerEmail", "vatNumber", "documents"}]}]}',
      handler: (_request, reply) => reply.send({ programs: listBooks() }),
    },
    {
      method: 'POST',
      url: `${PAGE}/organisations`,
      summary: 'Creates or changes an organisation, with an account at the program for its owner.',
      requestExample:
        '{"program": "xero" | "quickbooks" | "freeagent", "id", "name", "owner_email", "owner_name", "vat_number": "" | 9 digits, "scheme": "accrual" | "cash" | "flat_rate", "company_number": optional, "vat_period_end": optional date}',
      responseExample: '{"organisation": {...}}',
      handler: (request, reply) => {
        const input = readInput(request);
        const provider = readChoice(input, 'program', BOOKS_PROVIDERS);
        const [id, name, ownerEmail] = [readText(input, 'id'), readText(input, 'name'), readText(input, 'owner_email')];
        if (provider === 'quickbooks' && !/^\d{1,30}$/.test(id)) throw new ControlInputError('id', 'QuickBooks’ ids are numbers.');
        const companyNumber = toText(input['company_number']);
        const vatPeriodEnd = toText(input['vat_period_end']) === '' ? undefined : readDate(input, 'vat_period_end');
        books[provider].putOrganisation({
          ...(companyNumber === '' ? {} : { companyNumber }),
          ...(vatPeriodEnd === undefined ? {} : { vatPeriodEnd }),
          id,
          name,
          ownerEmail,
          vatNumber: toText(input['vat_number']) || null,
          scheme: readChoice(input, 'scheme', VAT_SCHEMES),
        });
        const companies = [{ realmId: id, name }];
        const owner = { email: ownerEmail, fullName: readText(input, 'owner_name'), emailVerified: true, companies };
        for (const account of accounts[provider]) account.seedPerson(owner);
        return sendResult(reply, { organisation: books[provider].findOrganisation(id) }, PAGE, `${name} keeps its books in ${provider}.`);
      },
    },
    {
      method: 'POST',
      url: `${PAGE}/documents`,
      summary: 'Creates a document of an organisation, or changes the one with this id.',
      requestExample:
        '{"program", "organisation_id", "id", "date", "kind": "sale" | "purchase", "reference", "counterparty", "net_pence", "vat_pence", "treatment": "standard" | "zero" | "custom", "is_draft": "yes" | "no", "supplier_vat_number": optional, "none" if the contact has none}',
      responseExample: '{"document": {...}}',
      handler: (request, reply) => {
        const input = readInput(request);
        const provider = readChoice(input, 'program', BOOKS_PROVIDERS);
        const organisationId = readText(input, 'organisation_id');
        if (!books[provider].findOrganisation(organisationId)) {
          return sendError(reply, 404, 'organisation_id', 'The program has no organisation with this id.');
        }
        const document = books[provider].putEntry(organisationId, readEntry(input));
        return sendResult(reply, { document }, PAGE, `${document.reference} is in the books.`);
      },
    },
  ];
}

function readEntry(input: ControlInput): NewEntry {
  const id = toText(input['id']);
  const supplierVatNumber = toText(input['supplier_vat_number']);
  return {
    ...(id === '' ? {} : { id }),
    date: readDate(input),
    kind: readChoice(input, 'kind', ['sale', 'purchase']),
    reference: readText(input, 'reference'),
    counterparty: readText(input, 'counterparty'),
    netPence: pence(readWholeNumber(input, 'net_pence', -1_000_000_000)),
    vatPence: pence(readWholeNumber(input, 'vat_pence', -1_000_000_000)),
    treatment: readChoice(input, 'treatment', ENTRY_TREATMENTS),
    isDraft: input['is_draft'] === 'yes',
    ...(supplierVatNumber === '' ? {} : { supplierVatNumber: supplierVatNumber === 'none' ? null : supplierVatNumber }),
  };
}

function readDate(input: ControlInput, field = 'date') {
  const date = parsePlainDate(readText(input, field));
  if (date === undefined) throw new ControlInputError(field, `${field} must be a date such as 2026-09-30.`);
  return date;
}

type BooksListing = readonly {
  readonly program: keyof typeof PROGRAM_NAMES;
  readonly organisations: readonly (SimulatedOrganisation & { readonly documents: number })[];
}[];

function renderBooksPage(listings: BooksListing): Markup {
  const organisations = listings.flatMap(({ program, organisations: ownOrganisations }) =>
    ownOrganisations.map((organisation) => ({ program, ...organisation })),
  );
  return h`<p class="lead">Organisations at Xero, QuickBooks and FreeAgent. The portal reads what is entered here within the hour, or when a person checks for changes.</p>
${listings.map(
  ({ program, organisations: ownOrganisations }) =>
    h`<h2>${PROGRAM_NAMES[program]}</h2><ul>${ownOrganisations.map(
      ({ id, name, ownerEmail, vatNumber, documents }) =>
        h`<li>${name} (${id}), of ${ownerEmail}, VAT number ${vatNumber ?? 'none'}: ${documents} documents</li>`,
    )}</ul>`,
)}
<form class="card" method="post" action="${PAGE}/documents"><h2>Enter a document</h2>
<p class="field"><label for="program">Program</label><select id="program" name="program">${BOOKS_PROVIDERS.map((name) => h`<option value="${name}">${PROGRAM_NAMES[name]}</option>`)}</select></p>
<p class="field"><label for="organisation_id">Organisation</label><select id="organisation_id" name="organisation_id">${organisations.map(({ program, id, name }) => h`<option value="${id}">${name} (${PROGRAM_NAMES[program]})</option>`)}</select></p>
<p class="field"><label for="date">Date</label><input id="date" name="date" type="date" required></p>
<p class="field"><label for="kind">Kind</label><select id="kind" name="kind"><option>purchase</option><option>sale</option></select></p>
<p class="field"><label for="reference">Number</label><input id="reference" name="reference" required></p>
<p class="field"><label for="counterparty">Customer or supplier</label><input id="counterparty" name="counterparty" required></p>
<p class="field"><label for="net_pence">Net amount in pence</label><input id="net_pence" name="net_pence" inputmode="numeric" required></p>
<p class="field"><label for="vat_pence">VAT in pence</label><input id="vat_pence" name="vat_pence" inputmode="numeric" required></p>
<p class="field"><label for="treatment">Rate</label><select id="treatment" name="treatment">${ENTRY_TREATMENTS.map((name) => h`<option>${name}</option>`)}</select></p>
<p class="field"><label for="is_draft">Is it a draft?</label><select id="is_draft" name="is_draft"><option>no</option><option>yes</option></select></p>
<p class="field"><label for="supplier_vat_number">Supplier’s VAT number, or none</label><input id="supplier_vat_number" name="supplier_vat_number"></p>
<button>Save document</button></form>`;
}
