import { parseArgs } from 'node:util';
import { isOperatorRole, OPERATOR_ROLES, type OperatorRole } from '@portal/domain/identity/operator-roles.ts';

export const HELP = `npm run operator -- COMMAND

Operators are our own staff. This command works on the database that npm start uses (DATABASE_URL or DATA_DIR).
An embedded database can be open in one process only, so stop the portal first. Every change is in the audit trail.

  add EMAIL --role ROLE [--role ROLE] [--name NAME] [--private-email EMAIL]
                        adds an operator and prints the enrolment link: it works once, within an hour. Give the name as in
                        their passport: operators don't decide about companies whose people have it
  list                  lists operators with their status and roles
  role EMAIL --role ROLE [--role ROLE]
                        replaces an operator's roles, at once
  rename EMAIL --name NAME
                        changes an operator's name
  disable EMAIL         ends an operator's access and sessions
  link EMAIL            for a person who lost their passkeys and app: removes them and prints a new enrolment link

Roles: ${OPERATOR_ROLES.join(', ')}

Add two administrators first: on /portal/admin/people, one asks to invite the others or to change their roles, and another approves.`;

export type OperatorCommand =
  | { readonly name: 'list' }
  | { readonly name: 'disable' | 'link'; readonly email: string }
  | { readonly name: 'rename'; readonly email: string; readonly fullName: string }
  | { readonly name: 'role'; readonly email: string; readonly roles: readonly OperatorRole[] }
  | {
      readonly name: 'add';
      readonly email: string;
      readonly roles: readonly OperatorRole[];
      readonly fullName?: string;
      readonly privateEmail?: string;
    };

const options = {
  help: { type: 'boolean', short: 'h', default: false },
  role: { type: 'string', multiple: true },
  name: { type: 'string' },
  'private-email': { type: 'string' },
} as const;

const COMMANDS = ['add', 'role', 'rename', 'disable', 'link'] as const;
type CommandName = (typeof COMMANDS)[number];
const isCommandName = (name: string): name is CommandName => (COMMANDS as readonly string[]).includes(name);

/** Reads the arguments. Throws a RangeError that explains any problem. */
export function readOperatorCommand(args: readonly string[]): OperatorCommand | { readonly name: 'help' } {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [name, email, ...rest] = positionals;
  if (values.help || name === undefined) return { name: 'help' };
  if (rest.length > 0) throw new RangeError(`I don’t understand “${rest.join(' ')}”.`);
  if (name === 'list') return { name };
  if (!isCommandName(name)) throw new RangeError(`There’s no command “${name}”.`);
  const address = email?.trim().toLowerCase() ?? '';
  if (!isEmail(address)) throw new RangeError(`Enter the operator’s email address after “${name}”.`);
  if (name === 'disable' || name === 'link') return { name, email: address };
  const fullName = values.name?.trim();
  if (fullName === '') throw new RangeError('The name is empty.');
  if (name === 'rename') {
    if (fullName === undefined) throw new RangeError('Give the new name: --name NAME');
    return { name, email: address, fullName };
  }
  const roleNames = values.role ?? [];
  const unknownRoles = roleNames.filter((role) => !isOperatorRole(role));
  if (unknownRoles.length > 0)
    throw new RangeError(`There’s no role “${unknownRoles.join('”, “')}”. The roles are ${OPERATOR_ROLES.join(', ')}.`);
  const roles = roleNames.filter((role) => isOperatorRole(role));
  if (roles.length === 0) throw new RangeError(`Give at least one role: --role ${OPERATOR_ROLES.join(' or --role ')}`);
  if (name === 'role') return { name, email: address, roles };
  const privateEmail = values['private-email']?.trim().toLowerCase();
  if (privateEmail !== undefined && !isEmail(privateEmail)) throw new RangeError(`“${privateEmail}” isn’t an email address.`);
  return {
    name,
    email: address,
    roles,
    ...(fullName === undefined ? {} : { fullName }),
    ...(privateEmail === undefined ? {} : { privateEmail }),
  };
}

function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}
