// Prepares a fresh clone: installs missing packages and builds the web app when it is out of date. Plain JavaScript without dependencies,
// because it runs
// before they are installed, on any Node from version 20. All messages go to stderr.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.env.ENSURE_ROOT ?? join(dirname(fileURLToPath(import.meta.url)), '..');
const stamps = join(root, '.stamps');
const lock = join(stamps, 'ensure.lock');
const webApp = join(root, 'apps/web');
const withoutWeb = process.argv.includes('--no-web');
const oldestNode = [24, 15];

const say = (text) => process.stderr.write(`portal: ${text}\n`);
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const readIfThere = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

class Stop extends Error {}

function librariesStamp() {
  const lockText = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(lockText).update(`${process.platform} ${process.arch}`).digest('hex');
}

// The stamp is inside node_modules, so deleting the folder (as npm ci does) also deletes the stamp.
const librariesStampFile = join(root, 'node_modules', '.portal-installed');

function librariesAreThere() {
  const wanted = librariesStamp();
  if (readIfThere(librariesStampFile) === wanted) return true;
  if (!installedByHand()) return false;
  writeFileSync(librariesStampFile, wanted);
  return true;
}

/** True when npm's own record in node_modules matches the lock file, because somebody ran npm ci by hand. */
function installedByHand() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readJson(record).packages;
  return Object.entries(readJson(join(root, 'package-lock.json')).packages).every(
    ([path, entry]) => !path.startsWith('node_modules/') || entry.optional || entry.link || installed[path]?.version === entry.version,
  );
}

const webStampFile = join(stamps, 'web');

function webStamp() {
  const hash = createHash('sha256');
  const folders = ['apps/web', 'packages/contract', 'packages/domain'].map((folder) => join(root, folder));
  for (const file of folders.flatMap(filesBelow).sort((a, b) => (a < b ? -1 : 1)))
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file));
  return hash.update(librariesStamp()).digest('hex');
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.') || entry.name.includes('.test.')) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function webIsBuilt() {
  if (withoutWeb || !existsSync(join(webApp, 'vite.config.ts'))) return true;
  return existsSync(join(webApp, 'dist', 'index.html')) && readIfThere(webStampFile) === webStamp();
}

async function install() {
  const npmCli = process.env.npm_execpath;
  const arguments_ = ['ci', '--include=dev', '--ignore-scripts', '--no-progress'];
  say('installing the libraries (once; about half a minute) ...');
  // Uses the Node that runs npm, because npm ci deletes the pinned Node that may be running this script.
  const [command, given] = npmCli?.endsWith('.js')
    ? [process.env.npm_node_execpath ?? process.execPath, [npmCli, ...arguments_]]
    : ['npm', arguments_];
  await run('installing the libraries', command, given, {
    cwd: root,
    env: outerEnvironment(),
    shell: process.platform === 'win32' && command === 'npm',
  });
  keepOnlyAWorkingNode();
  writeFileSync(librariesStampFile, librariesStamp());
}

/** The environment without npm's variables for the current script, so that npm ci does not take them as its own settings. */
function outerEnvironment() {
  const ofTheOuterScript = /^npm_(lifecycle_|package_|command$|config_(workspace|omit|production|local_prefix|only|include))/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofTheOuterScript.test(name)));
}

/** The pinned Node needs glibc. Where it cannot run (musl), it must not come before the system's Node on npm's PATH. */
function keepOnlyAWorkingNode() {
  const link = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(link) && spawnSync(link, ['--version']).status !== 0) rmSync(link);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (existsSync(pinnedNode()) || major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new Stop(`this system has no pinned Node: install Node ${oldestNode.join('.')} or later (this is ${process.versions.node}).`);
}

function pinnedNode() {
  return join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
}

function workingNode() {
  return process.platform !== 'win32' && existsSync(pinnedNode()) ? pinnedNode() : process.execPath;
}

/** The lists of calls, handlers and screens follow the folders, so that nobody has to add a line to them. */
function writeRegistries() {
  const script = join(root, 'scripts', 'write-registries.ts');
  if (!existsSync(script)) return;
  const { status } = spawnSync(workingNode(), [script], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Stop('the lists of calls, handlers and screens could not be written: see the error above.');
}

async function buildWeb() {
  say('building the web app ...');
  const wanted = webStamp();
  const ownScript = join(webApp, 'build.ts');
  const given = existsSync(ownScript) ? [ownScript] : [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'];
  await run('building the web app', workingNode(), given, { cwd: webApp, env: { ...process.env, NODE_ENV: 'production' } });
  mkdirSync(stamps, { recursive: true });
  writeFileSync(webStampFile, wanted);
}

/** Runs a program with its output on stderr, and prints a progress line every ten seconds. */
function run(what, command, given, options) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const beat = setInterval(() => say(`still ${what} (${seconds()} s)`), 10_000);
  return new Promise((resolve, reject) => {
    const child = spawn(command, given, { ...options, stdio: ['ignore', process.stderr, process.stderr] });
    process.once('exit', () => child.kill());
    child.once('error', (error) => reject(new Stop(`${what} could not start: ${error.message}`)));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(say(`done: ${what} (${seconds()} s)`));
      else reject(new Stop(`${what} failed (${signal ?? `exit code ${code}`}): its own words stand above.`));
    });
  }).finally(() => clearInterval(beat));
}

let holdsLock = false;

/**
 * Takes a lock by creating a folder, which succeeds for one process only. The folder names its owner, so that the lock of a dead process
 * can be removed.
 */
async function takeLock() {
  if (holdsLock) return;
  mkdirSync(stamps, { recursive: true });
  for (let said = false; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    try {
      mkdirSync(lock);
      writeFileSync(join(lock, 'pid'), String(process.pid));
      holdsLock = true;
      process.once('exit', () => rmSync(lock, { recursive: true, force: true }));
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (lockIsStale()) removeStaleLock();
    else if (!said) {
      say('another start is installing or building: waiting for it ...');
      said = true;
    }
  }
}

function lockIsStale() {
  try {
    const owner = readIfThere(join(lock, 'pid'));
    // A process writes its id just after creating the folder. If the id is missing after ten seconds, the process has died.
    if (!owner) return Date.now() - statSync(lock).mtimeMs > 10_000;
    return !isAlive(Number(owner));
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** A rename succeeds for one process only, so no process removes a lock that another has just taken. */
function removeStaleLock() {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  // Another process may have replaced the stale lock in the meantime. Then this lock is not stale and is put back.
  const owner = readIfThere(join(aside, 'pid'));
  if (owner && isAlive(Number(owner)) && !existsSync(lock)) renameSync(aside, lock);
  else rmSync(aside, { recursive: true, force: true });
}

try {
  if (!librariesAreThere()) {
    await takeLock();
    if (!librariesAreThere()) await install();
  }
  requireNode();
  writeRegistries();
  if (!webIsBuilt()) {
    await takeLock();
    if (!webIsBuilt()) await buildWeb();
  }
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  say(error.message);
  process.exit(1);
}
