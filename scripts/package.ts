/** `npm run package`: creates the archive to deploy (docs/operations.md). */
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackage } from './package/make-package.ts';
import { repositoryRoot } from './testing/run-command.ts';

const HELP = `npm run package [-- --out FOLDER]

Makes one archive of the server, the web app, the migrations and the packages they need, for this system and
processor. It needs only Node to run. Its SHA-256 is in a file beside it. Default folder: dist
`;

const { values } = parseArgs({ options: { out: { type: 'string', default: join(repositoryRoot, 'dist') }, help: { type: 'boolean' } } });
if (values.help) process.stdout.write(HELP);
else {
  const { file, sha256 } = await buildPackage(values.out);
  const megabytes = (statSync(file).size / 1e6).toFixed(1);
  process.stdout.write(`${relative(process.cwd(), file)}  ${megabytes} MB\nsha256 ${sha256}\n`);
}
