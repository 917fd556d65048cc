/** Helpers shared by all control routes. A route responds to scripts with JSON, and to HTML forms with a redirect to their page. */
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { readBodyText } from '../simulator/request.ts';
import { h } from './markup.ts';
import { sendPage } from './page.ts';

/** A Fastify route with its description for the index page. A route without `summary` is not listed there. */
export type ControlRoute = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly handler: RouteHandlerMethod;
  readonly summary?: string;
  /** Example of the JSON body. */
  readonly requestExample?: string;
  readonly responseExample?: string;
};

/** Invalid input to a control route: the field and what it accepts. */
export class ControlInputError extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.name = 'ControlInputError';
    this.field = field;
  }
}

export type ControlInput = Readonly<Record<string, unknown>>;

/** Returns true for a form submitted by a browser. curl sends the same content type by default, so the first character identifies JSON. */
export function isForm(request: FastifyRequest): boolean {
  const hasFormType = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  return hasFormType && !readBodyText(request).trimStart().startsWith('{');
}

/** Returns true for browsers, which accept text/html. Scripts get JSON. */
export function acceptsHtml({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false;
}

export function readInput(request: FastifyRequest): ControlInput {
  const text = readBodyText(request);
  if (isForm(request)) return Object.fromEntries(new URLSearchParams(text));
  if (text.trim() === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ControlInputError('body', 'The body isn’t valid JSON.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ControlInputError('body', 'The body must be a JSON object.');
  return Object.fromEntries(Object.entries(body));
}

/** Returns a parameter of the route's path. */
export function getPathParam({ params }: FastifyRequest, name: string): string {
  return (params as Readonly<Record<string, string>>)[name] ?? '';
}

export function readText(input: ControlInput, field: string): string {
  const value = input[field];
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new ControlInputError(field, `${field} is missing.`);
}

/** Forms send strings; scripts may also send numbers or booleans. */
export function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export function readChoice<const Choice extends string>(input: ControlInput, field: string, choices: readonly Choice[]): Choice {
  const value = readText(input, field);
  const choice = choices.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  throw new ControlInputError(field, `${field} is ${value}, but must be one of ${choices.join(', ')}.`);
}

export function readWholeNumber(input: ControlInput, field: string, min: number): number {
  const value = input[field];
  const number = typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= min) return number;
  throw new ControlInputError(field, `${field} must be a whole number of at least ${min}.`);
}

/** Reads a UK bank account, with or without separators. */
export function readAccount(input: ControlInput): { sortCode: string; accountNumber: string } {
  const sortCode = readText(input, 'sort_code').replaceAll(/[ -]/g, '');
  const accountNumber = readText(input, 'account_number').replaceAll(' ', '');
  if (!/^\d{6}$/.test(sortCode)) throw new ControlInputError('sort_code', 'sort_code must be six digits.');
  if (!/^\d{8}$/.test(accountNumber)) throw new ControlInputError('account_number', 'account_number must be eight digits.');
  return { sortCode, accountNumber };
}

/** Responds to a successful action with JSON for scripts, or for forms with a redirect to `backTo` and a confirmation message. */
export function sendResult(reply: FastifyReply, body: unknown, backTo: string, message: string): FastifyReply {
  if (!isForm(reply.request)) return reply.send(body);
  const separator = backTo.includes('?') ? '&' : '?';
  return reply
    .code(303)
    .header('location', `${backTo}${separator}done=${encodeURIComponent(message)}`)
    .send();
}

export function sendError(reply: FastifyReply, status: number, field: string, message: string): FastifyReply {
  const { request } = reply;
  reply.code(status);
  if (!isForm(request) && !acceptsHtml(request)) return reply.send({ error: { field, message } });
  const referer = request.headers.referer;
  const backPath = referer && URL.canParse(referer) ? new URL(referer).pathname : '/';
  return sendPage(reply, 'That didn’t work', h`<p>${message}</p><p><a href="${backPath}">Back</a></p>`);
}
