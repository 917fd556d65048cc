/** Control routes for the Companies House simulator: search the register and change a company's status. */
import type { CompaniesHouseControls } from './companies-house-simulator.ts';
import { COMPANY_STATUSES } from '@portal/providers/companies-house/companies-house-port.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { FastifyRequest } from 'fastify';
import { searchParams } from '../simulator/request.ts';
import { sendResult, readChoice, readInput, sendError, readText, type ControlRoute } from '../control/control-call.ts';
import { h, type Markup } from '../control/markup.ts';
import { renderTable, sendPage } from '../control/page.ts';

const REGISTER_PAGE = '/control/companies-house';
const MAX_LISTED = 60;

export function registerControlRoutes(register: CompaniesHouseControls): ControlRoute[] {
  const readQuery = (request: FastifyRequest): string => searchParams(request).get('query')?.trim() ?? '';
  return [
    {
      method: 'GET',
      url: REGISTER_PAGE,
      handler: (request, reply) => sendPage(reply, 'Companies House', renderRegisterPage(register, readQuery(request))),
    },
    {
      method: 'GET',
      url: `${REGISTER_PAGE}/companies`,
      summary: 'Companies in the register; ?query= works like the search box.',
      responseExample: '{"companies": [{"number", "name", "status", "type", ...}], "calls_in_window"}',
      handler: (request, reply) =>
        reply.send({ companies: register.listCompanies(readQuery(request)), calls_in_window: register.callsInWindow() }),
    },
    {
      method: 'POST',
      url: `${REGISTER_PAGE}/status`,
      summary: 'Changes a company’s status. The portal may cache the former status for 24 hours.',
      requestExample: '{"number": "09482716", "status": "dissolved"}',
      responseExample: '{"company": {...}}',
      handler: (request, reply) => {
        const input = readInput(request);
        const number = readText(input, 'number');
        const statuses = COMPANY_STATUSES.filter((status) => status !== 'registered');
        if (!register.setStatus(number, readChoice(input, 'status', statuses))) {
          return sendError(reply, 404, 'number', 'No company has this number.');
        }
        return sendResult(reply, { company: register.findCompany(number) }, REGISTER_PAGE, `${number} has been changed.`);
      },
    },
    {
      method: 'POST',
      url: `${REGISTER_PAGE}/officers`,
      summary: 'Appoints a director, whose name the portal compares with the person who verified their identity.',
      requestExample: '{"number": "09482716", "name": "BRIGHT, Tessa", "appointed_on": "2026-01-05"}',
      responseExample: '{"company": {...}}',
      handler: (request, reply) => {
        const input = readInput(request);
        const number = readText(input, 'number');
        const officer = { name: readText(input, 'name'), role: 'director', appointed_on: plainDate(readText(input, 'appointed_on')) };
        if (!register.addOfficer(number, officer)) return sendError(reply, 404, 'number', 'No company has this number.');
        return sendResult(reply, { company: register.findCompany(number) }, REGISTER_PAGE, `${officer.name} is a director of ${number}.`);
      },
    },
    {
      method: 'POST',
      url: `${REGISTER_PAGE}/identity`,
      summary: 'Records that a person’s identity verification statement was supplied. The portal may cache the former state for 24 hours.',
      requestExample: '{"number": "09482716", "name": "BRIGHT, Tessa", "supplied_on": "2026-03-20"}',
      responseExample: '{"company": {...}}',
      handler: (request, reply) => {
        const input = readInput(request);
        const [number, name] = [readText(input, 'number'), readText(input, 'name')];
        if (!register.setIdentity(number, name, { supplied_on: plainDate(readText(input, 'supplied_on')) })) {
          return sendError(reply, 404, 'name', 'No company with this number has a person of this name.');
        }
        return sendResult(reply, { company: register.findCompany(number) }, REGISTER_PAGE, `The statement of ${name} has been recorded.`);
      },
    },
  ];
}

function renderRegisterPage(register: CompaniesHouseControls, query: string): Markup {
  const foundCompanies = register.listCompanies(query);
  const rows = foundCompanies
    .slice(0, MAX_LISTED)
    .map(({ number, name, status, type }) => h`<tr><td>${number}</td><td>${name}</td><td>${type}</td><td>${status}</td></tr>`);
  const statuses = COMPANY_STATUSES.map((status) => h`<option>${status}</option>`);
  return h`<p class="lead">The company register that the portal searches. ${register.callsInWindow()} of 600 calls used in the current five minutes.</p>
<form class="row" method="get"><p class="field"><label for="query">Name or number</label><input id="query" name="query" value="${query}"></p><p><button class="plain">Search</button></p></form>
${renderTable('Companies', ['Number', 'Name', 'Type', 'Status'], rows, 'No company matches.')}
${foundCompanies.length > MAX_LISTED && h`<p class="soft">Showing the first ${MAX_LISTED} of ${foundCompanies.length}.</p>`}
<form class="card" method="post" action="${REGISTER_PAGE}/status"><h2>Change a company’s status</h2><p class="field"><label for="number">Company number</label><input id="number" name="number" required></p><p class="field"><label for="status">Status</label><select id="status" name="status">${statuses}</select></p><button>Change status</button></form>
<form class="card" method="post" action="${REGISTER_PAGE}/officers"><h2>Appoint a director</h2><p class="field"><label for="officer_number">Company number</label><input id="officer_number" name="number" required></p><p class="field"><label for="officer_name">Name, such as BRIGHT, Tessa</label><input id="officer_name" name="name" required></p><p class="field"><label for="appointed_on">Appointed on</label><input id="appointed_on" name="appointed_on" type="date" required></p><button>Appoint</button></form>
<form class="card" method="post" action="${REGISTER_PAGE}/identity"><h2>Record an identity verification statement</h2><p class="field"><label for="identity_number">Company number</label><input id="identity_number" name="number" required></p><p class="field"><label for="identity_name">Name as registered, such as BRIGHT, Tessa or Ms Tessa Bright</label><input id="identity_name" name="name" required></p><p class="field"><label for="supplied_on">Supplied on</label><input id="supplied_on" name="supplied_on" type="date" required></p><button>Record statement</button></form>`;
}
