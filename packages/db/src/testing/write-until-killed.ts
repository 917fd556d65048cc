/** A helper process for tests. Writes rows 1, 2, 3 ... into a folder's embedded database, and prints each number once it is committed. */
import { sql } from '../sql.ts';
import { openDatabase } from '../open-database.ts';

const database = await openDatabase({ kind: 'embedded', dataDir: process.argv[2] ?? '' }, (error) => {
  throw error;
});
await database.db.execute(sql`create table if not exists written (number int primary key, padding text)`);
const { rows } = await database.db.execute<{ last: number }>(sql`select coalesce(max(number), 0) as last from written`);
process.stdout.write('open\n');
for (let number = (rows[0]?.last ?? 0) + 1; ; number++) {
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into written values (${number}, repeat('x', 500))`);
    await tx.execute(sql`update written set padding = repeat('y', 500) where number = ${number}`);
  });
  process.stdout.write(`${number}\n`);
}
