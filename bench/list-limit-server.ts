/** The bare server of list-limit.ts: node:http and pg with its own tables and statements, without any of the portal's code. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
for (const type of [pg.types.builtins.DATE, pg.types.builtins.TIMESTAMPTZ]) pg.types.setTypeParser(type, (text) => text);

const COLUMNS = `client_id, name, client_type, reference, utr, vrn, paye_ref, company_number, email, phone, status, member_id, member_name,
  next_due_on, next_due_tax, amount_due_pence, overdue_pence, overdue_count, open_tasks, unread_messages, tags, taxes, source, as_of, updated_at`;
const SESSION_SQL = `select m.member_id, m.company_id, m.role from bare.sessions s join bare.members m using (member_id)
  where s.token_hash = $1 and s.expires_at > now()`;
const LIST_SQL = `select ${COLUMNS} from bare.client_list where company_id = $1 and status = $2 order by next_due_on, client_id limit 50`;
const SEARCH_SQL = `select ${COLUMNS} from bare.client_list where company_id = $1 and search like $2 order by next_due_on, client_id limit 50`;
/** Produces the same response as the portal's palette: names that start with the text first, then references, each with its details. */
const PALETTE_SQL = `select client_id, name, status, reference, utr, vrn, paye_ref, company_number, email, phone from bare.client_list
  where company_id = $1 and search like $2
  order by case when search like $3 then 0 when search like $4 then 1 else 2 end, name, client_id limit 8`;

const pool = new pg.Pool({ connectionString: process.env['BARE_DATABASE_URL'], max: 10 });

/**
 * Returns the first page of the practice's clients or, for the palette, the first few matches. Returns undefined without a valid session.
 */
async function listClients(url: URL, cookie: string): Promise<string | undefined> {
  const token = /session=([^;]+)/.exec(cookie)?.[1] ?? '';
  const session = { name: 'session', text: SESSION_SQL, values: [createHash('sha256').update(token).digest('base64url')] };
  const [member] = (await pool.query<{ company_id: string }>(session)).rows;
  if (!member) return undefined;
  const q = url.searchParams.get('q');
  // Don't use named prepared statements for searches. After five runs, PostgreSQL would switch to a generic plan, which is slow for most
  // texts.
  if (url.pathname === '/palette') {
    const searchText = (q ?? '').toLowerCase();
    const { rows: foundRows } = await pool.query(PALETTE_SQL, [member.company_id, `%${searchText}%`, `${searchText}%`, `% ${searchText}%`]);
    return JSON.stringify({ items: foundRows });
  }
  const { rows } = await (q === null
    ? pool.query({ name: 'list', text: LIST_SQL, values: [member.company_id, url.searchParams.get('status') ?? 'active'] })
    : pool.query(SEARCH_SQL, [member.company_id, `%${q.toLowerCase()}%`]));
  return JSON.stringify({ items: rows, next: rows.length === 50 ? rows.at(-1) : null });
}

const server = createServer((request, response) => {
  void listClients(new URL(request.url ?? '/', 'http://localhost'), request.headers.cookie ?? '').then((text) => {
    const body = Buffer.from(text ?? '');
    response.writeHead(text === undefined ? 401 : 200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
// Exit when the benchmark process has ended.
process.on('disconnect', () => process.exit());
