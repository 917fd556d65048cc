/**
 * Simulates Modulr's account name check: verifies the signature and the nonce, and compares names with the bank's records. An account
 * belongs to the first name checked, unless the control page sets another.
 */
import { randomInt } from 'node:crypto';
import { compareCompanyNames } from '@portal/domain/advances/compare-names.ts';
import { toEpochMs } from '@portal/domain/clock.ts';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { nameCheckRequestWire, type ResultCode } from '@portal/providers/modulr/modulr-wire.ts';
import { computeSignature } from '@portal/providers/modulr/sign-request.ts';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { createFaultHooks, type RejectCall } from '../simulator/fault-hooks.ts';
import { readBodyText } from '../simulator/request.ts';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import { SANDBOX_MODULR } from './sandbox-credentials.ts';

/** How the account's bank responds: it compares names, doesn't respond or doesn't have the account. */
export const NAME_CHECK_OUTCOMES = ['compares', 'no_response', 'does_not_exist', 'personal_account'] as const;
export type NameCheckOutcome = (typeof NAME_CHECK_OUTCOMES)[number];

export type NamedAccount = {
  readonly sort_code: string;
  readonly account_number: string;
  readonly name: string;
  readonly answer: NameCheckOutcome;
};

export type ModulrControls = {
  listAccounts(): NamedAccount[];
  /** Sets the account's holder and how its bank responds. */
  setAccount(account: NamedAccount): void;
};

export type ModulrSimulator = { readonly plugin: FastifyPluginAsync; readonly controls: ModulrControls };

/** Operations for which faults can be set. */
export const MODULR_OPERATIONS = ['modulr.account_name_check'] as const;

/** Modulr rejects a request whose Date differs by more than 5 minutes from its own clock. */
const MAX_DATE_DIFFERENCE_MS = 300_000;

export function createModulrSimulator(deps: SimulatorDeps): ModulrSimulator {
  const { store, clock, faults } = deps;
  const accounts = store.collection<NamedAccount>('modulr.accounts');
  const nonces = store.collection<string>('modulr.nonces');
  const toKey = (sortCode: string, accountNumber: string): string => `${sortCode}-${accountNumber}`;

  function findCallerError(request: FastifyRequest): { status: 401 | 403; code: string; message: string } | undefined {
    const { date = '', authorization = '', 'x-mod-nonce': nonce } = request.headers;
    if (typeof nonce !== 'string' || nonce === '')
      return { status: 403, code: 'FORBIDDEN', message: 'Unique/allowed nonce header not found' };
    const signature = /^Signature keyId="([^"]*)",algorithm="hmac-sha512",headers="date x-mod-nonce",signature="([^"]*)"$/.exec(
      authorization,
    );
    const expectedSignature = computeSignature({ date, nonce }, SANDBOX_MODULR.secret);
    const isSigned = signature?.[1] === SANDBOX_MODULR.keyId && decodeURIComponent(signature[2] ?? '') === expectedSignature;
    const isRecent = Math.abs(Date.parse(date) - toEpochMs(clock.now())) <= MAX_DATE_DIFFERENCE_MS;
    if (!isSigned || !isRecent) return { status: 401, code: 'UNAUTHORIZED', message: 'Invalid signature' };
    if (nonces.get(nonce) !== undefined) return { status: 403, code: 'FORBIDDEN', message: 'Unique/allowed nonce header not found' };
    nonces.put(nonce, clock.now());
    return undefined;
  }

  function checkName(sortCode: string, accountNumber: string, name: string): { code: ResultCode; name?: string } {
    const key = toKey(sortCode, accountNumber);
    const account = accounts.get(key) ?? { sort_code: sortCode, account_number: accountNumber, name, answer: 'compares' };
    accounts.put(key, account);
    if (account.answer === 'no_response') return { code: 'NO_RESPONSE' };
    if (account.answer === 'does_not_exist') return { code: 'ACCOUNT_DOES_NOT_EXIST' };
    const match = compareCompanyNames(name, account.name);
    if (match === 'none') return { code: 'NOT_MATCHED' };
    if (account.answer === 'personal_account') return { code: 'PERSONAL_ACCOUNT_NAME_MATCHED', name: account.name };
    return match === 'match' ? { code: 'MATCHED' } : { code: 'CLOSE_MATCH', name: account.name };
  }

  return {
    plugin: async (app) => {
      app.post('/account-name-check', createFaultHooks(faults, 'modulr.account_name_check', rejectCall), (request, reply) => {
        const callerError = findCallerError(request);
        if (callerError) return sendError(reply, callerError.status, callerError.code, callerError.message);
        const parsed = nameCheckRequestWire.safeParse(parseJson(readBodyText(request)));
        if (!parsed.success) {
          const [issue] = parsed.error.issues;
          return sendError(reply, 400, 'INVALID', issue?.message ?? 'invalid', issue?.path.join('.'));
        }
        const { sortCode, accountNumber, name } = parsed.data;
        const result = store.atomically(() => checkName(sortCode, accountNumber, name));
        return reply.code(201).send({ id: `C12${String(randomInt(10_000_000)).padStart(7, '0')}`, result });
      });
    },
    controls: {
      listAccounts: () => accounts.list().map(({ document }) => document),
      setAccount: (account) => accounts.put(toKey(account.sort_code, account.account_number), account),
    },
  };
}

function sendError(reply: FastifyReply, status: number, code: string, message: string, field?: string): FastifyReply {
  return reply.code(status).send([{ code, message, errorCode: code, sourceService: 'CONFIRMATION_OF_PAYEE', ...(field ? { field } : {}) }]);
}

const rejectCall: RejectCall = (reply, { status }) => sendError(reply, status === 200 ? 502 : status, 'GENERAL', 'The call was rejected.');
