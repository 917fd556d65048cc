/** What every control shares: one route answers scripts with JSON and people's forms with the page they came from. */
import type { SimulatorCall } from '../simulator/simulator.ts';
import { json } from '../simulator/responses.ts';
import { h } from './markup.ts';
import { page } from './page.ts';

/** A control as the index page documents it; without `summary` it is a page only. */
export type ControlRoute = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly answer: (call: SimulatorCall) => Response | Promise<Response>;
  readonly summary?: string;
  /** The JSON body it takes. */
  readonly takes?: string;
  readonly gives?: string;
};

/** Input that a control cannot use: the field and what it may be. */
export class ControlInputError extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.name = 'ControlInputError';
    this.field = field;
  }
}

export type Input = Readonly<Record<string, unknown>>;

/** A browser's form. curl names its bodies so too unless told otherwise, hence the look at the first character. */
export function isForm({ request, bodyText }: SimulatorCall): boolean {
  const named = request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false;
  return named && !bodyText.trimStart().startsWith('{');
}

/** A browser asks for text/html; scripts get JSON. */
export function wantsPage({ request }: SimulatorCall): boolean {
  return request.headers.get('accept')?.includes('text/html') ?? false;
}

export function readInput(call: SimulatorCall): Input {
  if (isForm(call)) return Object.fromEntries(new URLSearchParams(call.bodyText));
  if (call.bodyText.trim() === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(call.bodyText);
  } catch {
    throw new ControlInputError('body', 'The body is not JSON.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ControlInputError('body', 'The body must be a JSON object.');
  return Object.fromEntries(Object.entries(body));
}

export function textOf(input: Input, field: string): string {
  const value = input[field];
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new ControlInputError(field, `${field} is missing.`);
}

/** Forms send texts; scripts may send 1 or true. */
export function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export function oneOf<const Choice extends string>(input: Input, field: string, choices: readonly Choice[]): Choice {
  const value = textOf(input, field);
  const choice = choices.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  throw new ControlInputError(field, `${field} is ${value}, but may be ${choices.join(', ')}.`);
}

export function wholeNumberOf(input: Input, field: string, least: number): number {
  const value = input[field];
  const number = typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= least) return number;
  throw new ControlInputError(field, `${field} must be a whole number of at least ${least}.`);
}

/** A UK account, with or without separators. */
export function accountOf(input: Input): { sortCode: string; accountNumber: string } {
  const sortCode = textOf(input, 'sort_code').replaceAll(/[ -]/g, '');
  const accountNumber = textOf(input, 'account_number').replaceAll(' ', '');
  if (!/^\d{6}$/.test(sortCode)) throw new ControlInputError('sort_code', 'sort_code must be six digits.');
  if (!/^\d{8}$/.test(accountNumber)) throw new ControlInputError('account_number', 'account_number must be eight digits.');
  return { sortCode, accountNumber };
}

/** After a control has worked: JSON for scripts; for a form, back to its page with a sentence saying what was done. */
export function done(call: SimulatorCall, body: unknown, backTo: string, sentence: string): Response {
  if (!isForm(call)) return json(200, body);
  const mark = backTo.includes('?') ? '&' : '?';
  return new Response(null, { status: 303, headers: { location: `${backTo}${mark}done=${encodeURIComponent(sentence)}` } });
}

export function refuse(call: SimulatorCall, status: number, field: string, message: string): Response {
  if (!isForm(call) && !wantsPage(call)) return json(status, { error: { field, message } });
  const back = call.request.headers.get('referer');
  const way = back && URL.canParse(back) ? new URL(back).pathname : '/';
  return page(call, status, 'That did not work', h`<p>${message}</p><p><a href="${way}">Back</a></p>`);
}
