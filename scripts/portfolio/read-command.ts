/** Parses the arguments of `npm run portfolio`. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const HELP = `npm run portfolio -- --clients N [--seed S] [--load] [--url URL] [--sandbox URL] [--folder DIR]

Gives Oakline Accounting N clients in the simulators of HMRC and Companies House (the same for the same seed and
day), and writes the files that Oakline would import: clients.csv, paye-statement.csv, ct-statement.csv.
The portal and its sandbox must be running.

  --clients N    how many clients, 1 to 100000
  --seed S       another seed gives other clients (default: 1)
  --load         logs in as Priya, imports the clients and the statements, and refreshes VAT and Self Assessment
                 from the HMRC simulator without its limit of 3 calls a second
  --url URL      the portal (default: http://localhost:3000)
  --sandbox URL  the sandbox (default: http://localhost:3001)
  --folder DIR   where the files are written (default: .data/portfolio)
  --help         this text

Exit code 0: done. 1: failed; the last line gives the reason.
`;

/** `url` and `sandbox` are origins without a path; `folder` is absolute. */
export type Command = {
  readonly clients: number;
  readonly seed: number;
  readonly shouldLoad: boolean;
  readonly url: string;
  readonly sandbox: string;
  readonly folder: string;
};

const MAX_CLIENTS = 100_000;

const options = {
  clients: { type: 'string' },
  seed: { type: 'string', default: '1' },
  load: { type: 'boolean', default: false },
  url: { type: 'string', default: 'http://localhost:3000' },
  sandbox: { type: 'string', default: 'http://localhost:3001' },
  folder: { type: 'string', default: '.data/portfolio' },
  help: { type: 'boolean' },
} as const;

/** Returns undefined for --help and throws RangeError for invalid arguments. `workingFolder` is the user's working directory. */
export function readCommand(args: readonly string[], workingFolder: string): Command | undefined {
  const { values } = parseArgs({ args: [...args], options, allowPositionals: false });
  if (values.help) return undefined;
  if (values.clients === undefined) throw new RangeError('--clients is missing. Give the number of clients, for example --clients 300.');
  const clients = readWholeNumber('--clients', values.clients);
  if (clients < 1 || clients > MAX_CLIENTS) throw new RangeError(`--clients is ${clients}. Enter a number from 1 to ${MAX_CLIENTS}.`);
  return {
    clients,
    seed: readWholeNumber('--seed', values.seed),
    shouldLoad: values.load,
    url: readOrigin('--url', values.url),
    sandbox: readOrigin('--sandbox', values.sandbox),
    folder: resolve(workingFolder, values.folder),
  };
}

function readWholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw new RangeError(`${name} is ${text}. Enter a whole number.`);
  return number;
}

function readOrigin(name: string, text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new RangeError(`${name} is ${text}. Enter an address such as http://localhost:3000.`);
  }
  return new URL(text).origin;
}
